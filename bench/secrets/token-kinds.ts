import type { SecretKind } from './secret-kind.ts';

const GITLEAKS = 'github.com/gitleaks/gitleaks, config/gitleaks.toml';
const TRUFFLEHOG = 'github.com/trufflesecurity/trufflehog, pkg/detectors';
const GITHUB = 'docs.github.com, supported secret scanning patterns';
const GITLAB = 'docs.gitlab.com/security/tokens, token prefixes';
const SLACK = 'api.slack.com/authentication/token-types';

/** Kinds whose value itself shows what it is. `{h:32}` is 32 hex digits; see `secret-kind.ts` for the letters. */
const TABLE: readonly (readonly [source: string, kinds: string])[] = [
  [
    GITLEAKS,
    `anthropic key|sk-ant-api03-{w:93}AA
anthropic admin key|sk-ant-admin01-{w:93}AA
openai legacy key|sk-{a:20}T3BlbkFJ{a:20}
openai project key|sk-proj-{w:74}T3BlbkFJ{w:74}
openai service key|sk-svcacct-{w:58}T3BlbkFJ{w:58}
openai admin key|sk-admin-{w:58}T3BlbkFJ{w:58}
hugging face token|hf_{A:34}
hugging face organization|api_org_{A:34}
perplexity key|pplx-{a:48}
google key|AIza{w:35}
github personal token|ghp_{a:36}
github oauth token|gho_{a:36}
github user token|ghu_{a:36}
github server token|ghs_{a:36}
github refresh token|ghr_{a:36}
github fine-grained token|github_pat_{a:22}_{a:59}
aws key id|AKIA{T:16}
aws session key id|ASIA{T:16}
aws bearer id|ABIA{T:16}
aws context id|ACCA{T:16}
aws bedrock key|ABSK{b:110}=
alibaba key id|LTAI{a:20}
azure client secret|{a:3}8Q~{w:34}
slack bot token|xoxb-{d:12}-{d:12}-{a:24}
slack user token|xoxp-{d:12}-{d:12}-{d:12}-{h:32}
slack refresh token|xoxe-1-{U:146}
slack rotated token|xoxe.xoxp-1-{U:163}
slack app token|xapp-1-A{U:10}-{d:13}-{h:64}
discord bot token|MTE4NzY1NDMyMTA5ODc2NTQz.{w:6}.{w:38}
telegram bot token|{d:10}:AA{w:33}
stripe live key|sk_live_{a:24}
stripe restricted key|rk_live_{a:24}
stripe test key|sk_test_{a:99}
square access token|EAAA{w:60}
square oauth secret|sq0csp-{w:43}
square personal token|sq0atp-{w:22}
shopify access token|shpat_{h:32}
shopify custom app token|shpca_{h:32}
shopify private app token|shppa_{h:32}
shopify shared secret|shpss_{h:32}
plaid token|access-production-{x}
flutterwave secret|FLWSECK_TEST-{h:32}-X
mailgun private key|key-{h:32}
mailchimp key|{h:32}-us12
sendgrid key|SG.{w:22}.{w:43}
sendinblue key|xkeysib-{h:64}-{a:16}
twilio key|SK{h:32}
notion token|ntn_{d:11}{a:35}
airtable token|pat{a:14}.{h:64}
linear key|lin_api_{a:40}
dropbox short-lived token|sl.{w:135}
typeform token|tfp_{w:59}
contentful management token|CFPAT-{w:43}
planetscale token|pscale_tkn_{w:43}
planetscale password|pscale_pw_{w:43}
planetscale oauth token|pscale_oauth_{w:43}
databricks token|dapi{h:32}
clickhouse key|4b1d{a:38}
cloudflare origin key|v1.0-{h:24}-{h:146}
digitalocean token|dop_v1_{h:64}
digitalocean oauth token|doo_v1_{h:64}
digitalocean refresh token|dor_v1_{h:64}
fly token|fo1_{w:43}
fly macaroon|fm2_{b:180}
heroku token|HRKU-AA{w:58}
doppler token|dp.pt.{a:43}
vault service token|hvs.{w:95}
vault batch token|hvb.{w:140}
terraform token|{a:14}.atlasv1.{w:67}
pulumi token|pul-{h:40}
1password service token|ops_eyJ{b:260}
1password secret key|A3-{U:6}-{U:11}-{U:5}-{U:5}-{U:5}
sentry user token|sntryu_{h:64}
sentry organization token|sntrys_eyJ{a:80}_{a:43}
new relic user key|NRAK-{U:27}
new relic insert key|NRII-{w:32}
new relic browser key|NRJS-{h:19}
grafana service token|glsa_{a:32}_{h:8}
grafana cloud token|glc_{b:60}
grafana key|eyJrIjoi{a:72}
dynatrace token|dt0c01.{U:24}.{U:64}
postman key|PMAK-{h:24}-{h:34}
sonar user token|squ_{h:40}
sonar project token|sqp_{h:40}
npm token|npm_{a:36}
pypi token|pypi-AgEIcHlwaS5vcmc{w:80}
rubygems key|rubygems_{h:48}
nuget key|oy2{l:43}
clojars token|CLOJARS_{l:60}
artifactory key|AKCp{a:69}
artifactory reference token|cmVmd{a:59}
octopus key|API-{U:26}
readme key|rdme_{l:70}
shippo token|shippo_live_{h:40}
easypost key|EZAK{a:54}
easypost test key|EZTK{a:54}
duffel token|duffel_live_{w:43}
frame.io token|fio-u-{w:64}
yandex cloud key|AQVN{w:35}
openshift token|sha256~{w:43}
age key|AGE-SECRET-KEY-1{B:58}
adobe client secret|p8e-{l:32}
defined networking token|dnkey-{l:26}-{l:52}
intra42 secret|s-s4t2ud-{h:64}
prefect key|pnu_{l:36}
scalingo token|tk-us-{w:48}
settlemint token|sm_pat_{a:16}
endor labs key|endr+{a:16}
sourcegraph token|sgp_{h:16}_{h:40}
facebook token|EAAM{a:160}
jwt|eyJhbGciOiJIUzI1NiJ9.eyJ{w:60}.{w:43}`,
  ],
  [
    TRUFFLEHOG,
    `groq key|gsk_{a:52}
xai key|xai-{a:80}
replicate token|r8_{a:37}
openrouter key|sk-or-v1-{h:64}
deepseek key|sk-{h:32}
langfuse secret|sk-lf-{x}
langsmith token|lsv2_pt_{h:32}_{h:10}
langsmith service key|lsv2_sk_{h:32}_{h:10}
elevenlabs key|sk_{h:48}
nvidia key|nvapi-{w:64}
azure devops token|{a:76}AZDO{a:4}
bitbucket app password|ATBB{a:32}
atlassian token|ATATT3{w:186}
atlassian admin token|ATCTT3{w:186}
trello token|ATTA{h:64}
tencent key id|AKID{a:32}
google client secret|GOCSPX-{w:28}
braintree token|access_token$production\${l:16}\${h:32}
brevo smtp key|xsmtpsib-{h:64}-{a:16}
hubspot token|pat-na1-{x}
linear oauth token|lin_oauth_{h:64}
clickup token|pk_{d:8}_{U:32}
figma token|figd_{w:40}
supabase token|sbp_{h:40}
netlify token|nfp_{a:36}
tailscale auth key|tskey-auth-k{a:11}CNTRL-{a:32}
tailscale api key|tskey-api-k{a:11}CNTRL-{a:32}
tailscale client secret|tskey-client-k{a:11}CNTRL-{a:32}
onesignal key|os_v2_app_{l:103}
dockerhub token|dckr_pat_{w:27}
dockerhub organization token|dckr_oat_{w:32}
circleci token|CCIPAT_{a:22}_{h:40}
buildkite token|bkua_{h:40}
launchdarkly sdk key|sdk-{x}
launchdarkly api key|api-{x}
mapbox secret token|sk.eyJ1{w:60}.{w:22}
posthog personal key|phx_{a:43}
apify token|apify_api_{a:36}
deepl key|{x}:fx
asana token|1/{d:16}:{h:32}
salesforce token|00D{a:12}!{a:96}
webex bot token|{a:64}_PF84_{x}
buildkite agent token|bkaj_{h:40}
stytch secret|secret-live-{w:36}=
polar token|polar_oat_{a:43}
bitwarden access token|0.{x}.{a:30}:{b:22}==
aiven password|AVNS_{w:19}`,
  ],
  [
    GITLAB,
    `gitlab personal token|glpat-{w:20}
gitlab routable token|glpat-{w:27}.{l:2}{l:7}
gitlab trigger token|glptt-{h:40}
gitlab deploy token|gldt-{w:20}
gitlab runner token|glrt-{w:20}
gitlab registration token|GR1348941{w:20}
gitlab job token|glcbt-64_{w:20}
gitlab feed token|glft-{w:20}
gitlab mail token|glimt-{w:25}
gitlab agent token|glagent-{w:50}
gitlab oauth secret|gloas-{w:64}
gitlab scim token|glsoat-{w:20}
gitlab feature flag token|glffct-{w:20}
gitlab workspace token|glwt-{w:20}`,
  ],
  [
    SLACK,
    `slack client token|xoxc-{d:12}-{d:12}-{d:13}-{h:64}
slack client cookie|xoxd-{a:60}%2B{a:40}%3D
slack legacy token|xoxs-{d:11}-{d:11}-{d:11}-{h:10}
slack workspace token|xoxa-2-{d:12}-{d:12}-{h:32}
slack webhook|https://hooks.slack.com/services/T{U:8}/B{U:10}/{a:24}
slack workflow|https://hooks.slack.com/workflows/T{U:8}/A{U:8}/{d:18}/{a:24}`,
  ],
  [
    GITHUB,
    `anthropic oauth token|sk-ant-oat01-{w:93}AA
google access token|ya29.{w:120}
google refresh token|1//0{w:98}
aws session token|IQoJb3JpZ2luX2Vj{b:220}
pinecone key|pcsk_{a:6}_{a:63}
fireworks key|fw_{a:24}
tavily key|tvly-dev-{a:32}
firecrawl key|fc-{h:32}
cerebras key|csk-{l:48}
e2b key|e2b_{h:40}
notion legacy token|secret_{a:43}
supabase secret key|sb_secret_{w:31}
neon key|napi_{l:64}
vercel token|vcp_{a:56}
new relic license|{h:36}NRAL
honeycomb key|hcaik_01{l:56}
paddle key|pdl_live_apikey_{l:26}_{a:22}_{a:3}
stripe webhook secret|whsec_{a:32}
discord webhook|https://discord.com/api/webhooks/{d:18}/{w:68}
teams webhook|https://acme.webhook.office.com/webhookb2/{x}@{x}/IncomingWebhook/{h:32}/{x}
cal.com key|cal_live_{h:32}
brave search key|BSA{w:28}
nostr key|nsec1{l:58}
firebase messaging key|AAAA{a:7}:APA91b{w:134}
doppler service token|dp.st.dev.{a:43}
doppler audit token|dp.audit.{a:43}
scrapfly key|scp-live-{h:32}
appwrite key|standard_{h:256}
razorpay secret|rzp_live_{a:14}`,
  ],
];

export const TOKEN_KINDS: readonly SecretKind[] = TABLE.flatMap(([source, kinds]) =>
  kinds.split('\n').map((row) => {
    const bar = row.indexOf('|');
    return { name: row.slice(0, bar), form: row.slice(bar + 1), source, sort: 'token' as const };
  }),
);
