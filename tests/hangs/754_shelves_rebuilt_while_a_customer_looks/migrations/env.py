from alembic import context
from sqlalchemy import create_engine

engine = create_engine(
    context.config.get_main_option("sqlalchemy.url"), connect_args={"timeout": 3600}
)
with engine.connect() as connection:
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()
