from datetime import datetime, timedelta, timezone

import boto3
import botocore.session
from botocore.credentials import RefreshableCredentials


def soon(minutes):
    return (datetime.now(timezone.utc) + timedelta(minutes=minutes)).isoformat()


class KeyRing:
    def __init__(self):
        first = {"access_key": "A1", "secret_key": "S1", "token": "T1", "expiry_time": soon(1)}
        core = botocore.session.get_session()
        core._credentials = RefreshableCredentials.create_from_metadata(
            metadata=first, refresh_using=self.renew, method="sts-assume-role"
        )
        self.session = boto3.Session(botocore_session=core, region_name="eu-central-1")

    def renew(self):
        desk = self.session.client("sts")
        role = desk.assume_role(
            RoleArn="arn:aws:iam::123456789012:role/bakery", RoleSessionName="bakery"
        )
        keys = role["Credentials"]
        return {
            "access_key": keys["AccessKeyId"],
            "secret_key": keys["SecretAccessKey"],
            "token": keys["SessionToken"],
            "expiry_time": keys["Expiration"].isoformat(),
        }

    def link_to(self, name):
        store = self.session.client("s3")
        return store.generate_presigned_url("get_object", Params={"Bucket": "bills", "Key": name})
