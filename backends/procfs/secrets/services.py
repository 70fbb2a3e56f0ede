"""How the tokens of services look, with where each service says so."""

import re

_SHAPES: tuple[tuple[str, str], ...] = (
    # docs.github.com, "GitHub's token formats"
    (r"gh[pousr]_[A-Za-z0-9]{16,}+", "GitHub"),
    (r"github_pat_\w{20,}+", "GitHub"),
    # docs.gitlab.com/security/tokens: "Token prefixes"
    (r"gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-[\w.-]{16,}+", "GitLab"),
    # api.slack.com/authentication/token-types; incoming webhooks
    (r"xox[abeoprs](?:\.xox[bp])?-[\w-]{10,}+", "Slack"),
    (r"xapp-\d-[\w-]{10,}+", "Slack"),
    (r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/+-]{16,}+", "Slack"),
    # platform.openai.com/docs: API keys; docs.anthropic.com: API keys; openrouter.ai, deepseek
    (r"sk-(?:proj|svcacct|admin|ant|or|lf)-[\w+/-]{16,}+", "OpenAI and Anthropic"),
    (r"sk-[A-Za-z0-9]{20,}+", "OpenAI and others"),
    # huggingface.co/docs/hub/security-tokens
    (r"(?:hf|api_org)_[A-Za-z0-9]{16,}+", "Hugging Face"),
    # docs.aws.amazon.com/IAM: "Unique identifiers"
    (r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])", "AWS"),
    # cloud.google.com/docs/authentication: API keys, OAuth tokens and client secrets
    (r"AIza[\w-]{30,}+", "Google"),
    (r"ya29\.[\w.-]{16,}+", "Google"),
    (r"GOCSPX-[\w-]{16,}+", "Google"),
    (r"1//0[\w-]{20,}+", "Google"),
    # docs.stripe.com/keys; docs.stripe.com/webhooks
    (r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}+", "Stripe"),
    (r"whsec_[\w+/=]{16,}+", "Stripe"),
    # www.twilio.com/docs/iam/api-keys
    (r"(?:SK|AC)[0-9a-f]{32}(?![0-9A-Za-z])", "Twilio"),
    # docs.sendgrid.com: API keys
    (r"SG\.[\w-]{16,}+\.[\w-]{16,}+", "SendGrid"),
    # github.blog/2021-09-23: npm's new token format; yarn
    (r"npm_[A-Za-z0-9]{20,}+", "npm"),
    # PyPI's help: what an API token is
    (r"pypi-[\w-]{16,}+", "PyPI"),
    # Docker's documentation: personal access tokens
    (r"dckr_(?:pat|oat)_[\w-]{16,}+", "Docker Hub"),
    # docs.digitalocean.com/reference/api: token prefixes
    (r"do[opr]_v1_[0-9a-f]{32,}+", "DigitalOcean"),
    # docs.databricks.com/dev-tools/auth/pat
    (r"dapi[0-9a-f]{32}(?:-\d)?", "Databricks"),
    # learn.microsoft.com/purview: Azure AD client secret, 3 characters, a digit, Q~
    (r"[\w.~-]{3}\dQ~[\w.~-]{30,}+", "Azure"),
    # core.telegram.org/bots/api: "Authorizing your bot"
    (r"(?:bot)?\d{8,10}:[\w-]{35}(?![\w-])", "Telegram"),
    # discord.com/developers/docs/reference: bot tokens; webhooks
    (r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}+", "Discord"),
    (r"discord(?:app)?\.com/api/webhooks/\d{5,20}/[\w-]{16,}+", "Discord"),
    # documentation.mailgun.com: API keys
    (r"key-[0-9a-f]{32}(?![0-9A-Za-z])", "Mailgun"),
    # mailchimp.com/developer: API keys end with the data centre
    (r"[0-9a-f]{32}-us\d{1,2}(?!\w)", "Mailchimp"),
    # shopify.dev/docs/apps/auth: "Access tokens" (changelog: length and prefix)
    (r"shp(?:at|ca|pa|ss|ua|rt)_[0-9a-fA-F]{20,}+", "Shopify"),
    # developer.squareup.com/docs/build-basics/access-tokens
    (r"(?:EAAA|sq0(?:atp|csp|idp)-)[\w-]{20,}+", "Square"),
    # developers.linear.app; developers.notion.com/changelog
    (r"lin_(?:api|oauth)_[A-Za-z0-9]{16,}+", "Linear"),
    (r"(?:secret|ntn)_[A-Za-z0-9]{30,}+", "Notion"),
    # supabase.com/docs/guides/api/api-keys
    (r"sb(?:p|_secret|_publishable)_[\w-]{16,}+", "Supabase"),
    # grafana.com/docs: service account tokens, Cloud access policies
    (r"gl(?:sa|c)_[\w+/=]{20,}+", "Grafana"),
    # docs.sentry.io/account/auth-tokens
    (r"sntry[su]_[\w+/=.-]{20,}+", "Sentry"),
    # developer.hashicorp.com/vault/docs/concepts/tokens; terraform
    (r"hv[sbr]\.[\w-]{16,}+", "Vault"),
    (r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{30,}+", "Terraform"),
    # age-encryption.org/v1
    (r"AGE-SECRET-KEY-1[0-9A-Z]{30,}+", "age"),
    # docs.newrelic.com/docs/apis: API keys
    (r"NR(?:AK|JS|II|RA)-[\w-]{16,}+", "New Relic"),
    # learning.postman.com; pulumi.com; doppler.com; fly.io; planetscale.com; atlassian.com
    (r"PMAK-[0-9a-f-]{30,}+", "Postman"),
    (r"pul-[0-9a-f]{40}", "Pulumi"),
    (r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}+", "Doppler"),
    (r"fm[12][a-z]?_[\w+/=]{30,}+", "Fly.io"),
    (r"pscale_(?:tkn|pw|oauth)_[\w.-]{20,}+", "PlanetScale"),
    (r"AT(?:ATT3|BB|CTT3|OA)[\w=-]{20,}+", "Atlassian"),
    # console.groq.com; docs.x.ai; replicate.com; docs.perplexity.ai; fireworks.ai; nvidia.com
    (r"gsk_[A-Za-z0-9]{30,}+", "Groq"),
    (r"xai-[A-Za-z0-9]{30,}+", "xAI"),
    (r"r8_[A-Za-z0-9]{30,}+", "Replicate"),
    (r"pplx-[A-Za-z0-9]{30,}+", "Perplexity"),
    (r"nvapi-[\w-]{30,}+", "NVIDIA"),
    # docs.wandb.ai: the newer API keys
    (r"wandb_v\d_\w{20,}+", "Weights & Biases"),
    # tailscale.com/kb: key prefixes; figma; airtable; rubygems; artifactory; dynatrace; contentful
    (r"tskey-[\w-]{16,}+", "Tailscale"),
    (r"fig[dou]_[\w-]{20,}+", "Figma"),
    (r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", "Airtable"),
    (r"rubygems_[0-9a-f]{40,}+", "RubyGems"),
    (r"AKCp[A-Za-z0-9]{50,}+", "Artifactory"),
    (r"dt0[a-z]\d{2}\.[A-Z0-9]{20,}+\.[A-Z0-9]{40,}+", "Dynatrace"),
    # RFC 7519: JSON Web Token, the header is an object in base64url
    (r"eyJ[\w-]{8,}+(?:\.[\w-]*+){1,4}+", "JSON Web Token"),
)
"""Regular expressions, each begins where no letter, digit or underscore is before it."""

KNOWN = re.compile(
    r"(?<![A-Za-z0-9_])(?:" + "|".join(shape for shape, _ in _SHAPES) + r")"
    # RFC 6750 and 7617: what follows the scheme of an Authorization header
    r"|(?<![A-Za-z0-9_])(?<=[Bb]earer )[\w+/=.~-]{6,}+"
    r"|(?<=[Bb]asic )(?=[A-Za-z+/]*+[A-Z0-9=])[A-Za-z0-9+/]{8,}+={0,2}+"
    # RFC 7468, and the armour of PGP (RFC 9580); to the end of the text if it was cut
    r"|-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]++|-(?!----END))*+(?:-----END[A-Z0-9 ]*+-----)?+"
)
"""All of them, and what stands in headers and files of keys."""
SERVICES = tuple(dict.fromkeys(service for _, service in _SHAPES))
