import logging.config


def configure(client):
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "handlers": {
                "diary": {
                    "class": "watchtower.CloudWatchLogHandler",
                    "boto3_client": client,
                    "log_group_name": "mill",
                    "create_log_group": False,
                    "send_interval": 30,
                }
            },
            "loggers": {"mill": {"handlers": ["diary"], "level": "INFO"}},
        }
    )
