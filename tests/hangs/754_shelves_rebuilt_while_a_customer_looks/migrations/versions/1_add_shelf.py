import sqlalchemy
from alembic import op

revision = "1"
down_revision = None


def upgrade():
    op.add_column("book", sqlalchemy.Column("shelf", sqlalchemy.Integer))
