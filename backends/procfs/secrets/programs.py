"""Options and operands of known programs that are secrets, from the programs' own manuals."""

from collections.abc import Mapping

from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """What is secret on the command line of a program."""

    values: frozenset[str]
    """Options, and other words, with a secret as next word or after "="."""
    glued: tuple[str, ...]
    """Options with a secret directly behind their letters."""
    pairs: frozenset[str]
    """Options with user, separator and secret."""
    separator: str
    commands: frozenset[str]
    """If there are any, all this holds, and is counted, only behind one of these words."""
    operands: frozenset[int]
    """Which words that are no options are secret (after the separator if it is not ":"), from 1."""
    names: bool
    """A word after one that names a secret is one, as in ``configure set NAME VALUE``."""


def _rule(
    values: str = "",
    *,
    glued: str = "",
    pairs: str = "",
    separator: str = ":",
    commands: str = "",
    operands: tuple[int, ...] = (),
    names: bool = False,
) -> Rule:
    return Rule(
        frozenset(values.split()),
        tuple(glued.split()),
        frozenset(pairs.split()),
        separator,
        frozenset(commands.split()),
        frozenset(operands),
        names,
    )


_LDAP = "ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldapcompare ldapmodrdn"
_SAMBA = "smbclient rpcclient smbcacls smbget smbtree smbcquotas net wbinfo nmblookup"
_CONTAINERS = "docker podman nerdctl buildah skopeo helm oras crane regctl oc az ibmcloud cf"

_RULES = (
    ("curl", _rule("--oauth2-bearer --pass --proxy-pass", pairs="-u --user -U --proxy-user -E")),
    ("curl", _rule(pairs="-b --cookie", separator="=")),
    ("http https xh xhs", _rule(pairs="-a --auth")),
    ("ab hey oha siege", _rule(pairs="-A -a -P")),
    ("lynx", _rule(pairs="-auth -pauth")),
    ("etcdctl", _rule(pairs="--user")),
    ("skopeo buildah podman", _rule(pairs="--src-creds --dest-creds --creds")),
    ("mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlbinlog", _rule(glued="-p")),
    ("mysqlsh mariadb mariadb-dump mariadb-admin mariadb-import mariabackup", _rule(glued="-p")),
    ("sshpass", _rule("-p", glued="-p")),
    ("redis-cli valkey-cli keydb-cli redis-benchmark", _rule("-a --pass")),
    ("mongo mongosh mongodump mongorestore mongoexport mongoimport", _rule("-p", glued="-p")),
    ("mongostat mongotop cqlsh beeline", _rule("-p")),
    ("mosquitto_pub mosquitto_sub mosquitto_rr tsql mssql-cli", _rule("-P")),
    ("sqlcmd bcp zip unzip zipcloak", _rule("-P", glued="-P")),
    ("ipmitool", _rule("-P")),
    ("rabbitmqadmin rdesktop ncftp ncftpget ncftpput ncftpls", _rule("-p")),
    ("sqlplus expdp impdp sqlldr rman", _rule(operands=(1,), separator="/")),
    (_LDAP, _rule("-w", glued="-w")),
    ("ldappasswd", _rule("-w -s -a")),
    (_SAMBA, _rule(pairs="-U --user", separator="%")),
    ("lftp", _rule(pairs="-u --user", separator=",")),
    ("openssl", _rule("-k -K -pass -passin -passout -srppass -psk")),
    (_CONTAINERS, _rule("-p", commands="login")),
    ("twine", _rule("-p", commands="upload")),
    ("az", _rule("--account-key --sas-token --connection-string")),
    ("htpasswd", _rule(operands=(3,))),
    ("htpasswd", _rule(operands=(2,), commands="-nb -bn -nbB -bnB")),
    ("7z 7za 7zr 7zz rar unrar", _rule(glued="-p -hp")),
    ("pdftk", _rule("user_pw owner_pw input_pw")),
    ("ccrypt ccencrypt ccdecrypt", _rule("-K")),
    ("keytool jarsigner", _rule("-storepass -keypass -srcstorepass -deststorepass")),
    ("snmpwalk snmpget snmpset snmpbulkwalk", _rule("-A -X -c")),
    ("xfreerdp wlfreerdp", _rule(glued="/p: /gp:")),
    ("crackmapexec nxc evil-winrm smbmap", _rule("-p -H")),
    ("wandb vault", _rule(operands=(1,), commands="login")),
    ("bw", _rule(operands=(2,), commands="login")),
    ("bw", _rule(operands=(1,), commands="unlock")),
    ("mc", _rule(operands=(3, 4), commands="set")),
    ("wpa_passphrase", _rule(operands=(2,))),
    ("rabbitmqctl", _rule(operands=(2,), commands="add_user change_password authenticate_user")),
    ("poetry", _rule(operands=(3,), commands="config")),
    ("dotnet", _rule(operands=(2,), commands="set")),
    ("nmcli", _rule("password")),
    ("gh", _rule("-b --body", commands="secret")),
    ("git npm yarn pnpm pip", _rule(names=True, commands="config")),
    ("aws npm gcloud redis-cli valkey-cli wpa_cli snap", _rule(names=True, commands="set")),
    ("consul etcdctl", _rule(names=True, commands="put")),
    ("ngrok", _rule(operands=(1,), commands="authtoken add-authtoken")),
    ("mkpasswd", _rule(operands=(1,))),
    ("security", _rule("-w", commands="add-generic-password")),
    ("tailscale", _rule("--authkey")),
)

SHELLS = frozenset("sh bash dash zsh ksh ash fish su busybox rbash".split())


def _by_program() -> Mapping[str, tuple[Rule, ...]]:
    result: dict[str, tuple[Rule, ...]] = {}
    for programs, rule in _RULES:
        for program in programs.split():
            result[program] = (*result.get(program, ()), rule)
    return result


RULES = _by_program()
"""By the base name of a program."""
