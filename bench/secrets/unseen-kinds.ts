import type { SecretKind } from './secret-kind.ts';

/**
 * Kinds that were written down before anyone tried them. The rules were made with the even rows of each list in view;
 * the odd ones were held back: 36% of their values were masked before these rules, 64% when they were first tried.
 */
const TOKENS = `inngest signing key|signkey-prod-{h:64}
trigger.dev prod|tr_prod_{a:24}
unkey root|unkey_{a:24}
liveblocks|sk_prod_{w:64}
brex token|bxt_{a:40}
mollie live|live_{a:30}
statsig server|secret-{a:43}
axiom token|xaat-{x}
axiom personal|xapt-{x}
anyscale|esecret_{l:26}
modal token secret|as-{a:22}
runpod|rpa_{U:44}
jina|jina_{a:60}
voyage|pa-{w:43}
llamacloud|llx-{a:48}
helicone|sk-helicone-{l:7}-{l:7}-{l:7}-{l:7}
openpipe|opk_{h:40}
cartesia|sk_car_{a:22}
zhipu|{h:32}.{a:16}
fal key|{x}:{h:32}
depot project|depot_project_{h:64}
stackhawk|hawk.{w:20}.{w:20}
socket.dev|sktsec_{w:43}_api
netbird|nbp_{a:36}
ngrok authtoken|2{a:26}_{a:22}
checkly|cu_{h:32}
cockroach cloud|CCDB1_{a:22}_{a:40}
xata|xau_{a:40}
dbt cloud|dbtc_{a:40}
dbt user|dbtu_{w:40}
upcloud|ucat_{U:26}
exoscale|EXO{h:24}
deno deploy|ddp_{a:36}
val town|vtwn_{a:27}
jsr token|jsrp_{a:40}
mailersend|mlsn.{h:64}
mandrill|md-{a:22}
convertkit|kit_{h:32}
checkout.com secret|sk_sbox_{l:27}
adyen|AQE{b:80}
browserbase|bb_live_{w:27}
hyperbrowser|hb_{h:30}
canva|cnvca{w:52}
klaviyo private|pk_{h:34}
pagerduty|u+{a:18}
elastic cloud|essu_{b:60}
ghost admin|{h:24}:{h:64}
vault legacy|s.{a:24}
infisical|st.{h:24}.{h:32}.{h:32}
yandex oauth|y0_{w:55}
yandex iam|t1.{w:60}.{w:86}
volcengine|AKLT{b:44}
chroma cloud|ck-{a:44}
upstash qstash|sig_{a:28}
mercury|secret-token:mercury_production_{a:40}_yrucrem
sanity token|sk{a:80}
ably key|{a:6}.{a:6}:{w:43}
codecov upload|codecov_{a:36}
lambda cloud|secret_acme_{h:32}.{a:32}
cloudflared|eyJhIjoi{a:150}`;

const NAMED = `snyk_token|{x}
codecov_token|{x}
bugsnag_api_key|{h:32}
rollbar_access_token|{h:32}
pusher_app_secret|{h:20}
mux_token_secret|{b:75}
cloudinary_api_secret|{w:27}
twitter_consumer_secret|{a:50}
spotify_client_secret|{h:32}
oci_cli_passphrase|{a:16}
weaviate_admin_key|{a:40}
typesense_bootstrap_key|{a:32}
meili_master_key|{w:43}
expo_access_credentials|{w:40}
jenkins_user_pat|{h:34}
zoom_verification_pin|{d:6}{a:10}
stream_signing_salt|{h:64}
wallet_seed_hex|{h:64}
apns_auth_key_p8|{b:200}
session_cookie_value|{a:43}
bitrise_build_trigger_credential|{a:22}
mailjet_secretkey|{h:32}
teamcity_bearer|{a:60}
grafana_basic_auth|{a:30}
plausible_keyfile_pass|{a:18}
sonar_login|{h:40}
hmac_sha_key|{h:64}
kms_datakey_plaintext|{b:43}=
vpn_shared_psk|{a:20}
openvpn_auth_pass|{a:14}
icloud_app_specific_password|{c:4}-{c:4}-{c:4}-{c:4}
bitcoin_rpcpassword|{a:24}
jwt_signing_secret_b64|{b:43}=
keycloak_credentials_secret|{x}
cosign_password|{a:14}
signal_backup_passcode|{d:30}`;

const PLACES = String.raw`twine upload|twine upload -u bot -p ¤ dist/*|{a:20}
poetry http-basic|poetry config http-basic.acme bot ¤|{a:20}
poetry pypi-token|poetry config pypi-token.pypi ¤|{a:40}
composer auth|composer config http-basic.repo.acme.io bot ¤|{a:20}
cargo login|cargo login ¤|{a:35}
gem push|gem push a.gem --key acme --otp ¤|{d:6}{a:8}
nuget apikey|dotnet nuget push a.nupkg --api-key ¤ --source https://acme.io|{l:46}
nuget sources|nuget sources add -Name a -Source https://a -UserName bot -Password ¤|{a:20}
conan remote login|conan remote login acme bot -p ¤|{a:14}
jfrog config|jf c add acme --url https://a.io --user bot --password ¤|{a:16}
wpscan|wpscan --url https://a.io --passwords rockyou.txt --api-token ¤|{a:43}
hydra|hydra -l admin -p ¤ ssh://10.0.0.1|{a:12}
ncat proxy|ncat --proxy-auth app:¤ host 80|{a:14}
rclone obscure|rclone config create nas sftp host nas user app pass ¤|{w:30}
restic env file|export RESTIC_PASSWORD="¤"|{a:20}
duplicity url|duplicity /data sftp://bk:¤@nas.acme.io//backup|{a:16}
psexec|psexec \\\\srv -u adm -p ¤ cmd|{a:12}
winrs|winrs -r:srv -u:adm -p:¤ ipconfig|{a:12}
wmic|wmic /node:srv /user:adm /password:¤ os get|{a:12}
runas schtasks|schtasks /create /tn a /ru adm /rp ¤ /sc daily|{a:12}
expect send|expect "Password:"\nsend "¤\\r"|{a:12}
impacket|secretsdump.py acme/adm:¤@10.0.0.3|{a:13}
evil-winrm|evil-winrm -i 10.0.0.3 -u adm -p ¤|{a:13}
kinit pipe|echo ¤ | kinit app@ACME.IO|{a:13}
sudo -S|echo ¤ | sudo -S systemctl restart a|{a:12}
cryptsetup pipe|echo -n ¤ | cryptsetup luksOpen /dev/sda1 a -|{a:18}
su heredoc|sudo -S ls <<< "¤"|{a:13}
docker stdin heredoc|docker login -u bot --password-stdin <<< ¤|{a:20}
mysql option file|mysql --defaults-extra-file=<(printf "[client]\npassword=¤")|{a:14}
psql set|psql -v pw="'¤'" -f a.sql|{a:14}
oracle sqlplus|sqlplus app/¤@//db:1521/ORCL|{a:12}
oracle alter user|ALTER USER app IDENTIFIED BY ¤;|{a:12}
db2 connect|db2 connect to app user app using ¤|{a:12}
cassandra role|CREATE ROLE app WITH PASSWORD = '¤' AND LOGIN = true;|{a:14}
cqlsh|cqlsh -u app -p ¤ db|{a:14}
clickhouse client|clickhouse-client --user app --password=¤ -q "select 1"|{a:14}
clickhouse http|curl 'http://db:8123/?user=app&password=¤' -d 'select 1'|{a:14}
snowflake connect|snowflake.connector.connect(user='app', password='¤', account='a')|{a:16}
mssql go dsn|sqlserver://sa:¤@db:1433?database=app|{a:14}
odbc driver|Driver={ODBC Driver 18};Server=db;UID=app;PWD=¤|{a:14}
elasticsearch curl|curl -k -u elastic:¤ https://es:9200|{a:20}
kafka jaas|sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="¤";|{a:16}
kafkacat|kcat -b k:9092 -X sasl.username=app -X sasl.password=¤|{a:16}
nats url|nats://app:¤@nats.acme.io:4222|{a:14}
nats creds|nats --user app --password ¤ sub a|{a:14}
rabbitmqctl|rabbitmqctl add_user app ¤|{a:14}
rabbitmq change|rabbitmqctl change_password app ¤|{a:14}
minio mc alias|mc alias set acme https://s3.acme.io app ¤|{b:40}
s3cmd ini|secret_key = ¤|{b:40}
gsutil boto|gs_secret_access_key = ¤|{b:40}
proxychains|http 10.0.0.1 3128 app ¤|{a:12}
http proxy env|export https_proxy=http://app:¤@proxy:3128|{a:12}
squid htdigest|htdigest -c .pw realm app ¤|{a:12}
ipsec secrets|10.0.0.1 10.0.0.2 : PSK "¤"|{a:24}
openvpn auth file|printf 'app\n¤\n' > auth-user-pass.txt|{a:14}
hostapd|wpa_passphrase=¤|{a:14}
freeradius|client a { secret = ¤ }|{a:16}
snmpd conf|createUser app SHA ¤ AES|{a:16}
bgp md5|neighbor 10.0.0.1 password ¤|{a:14}
cisco enable|enable secret 0 ¤|{a:14}
cisco username|username adm privilege 15 password 0 ¤|{a:14}
juniper|set system root-authentication plain-text-password-value ¤|{a:14}
mikrotik|/user set admin password=¤|{a:12}
grub pbkdf|set superusers="root"\npassword root ¤|{a:12}
postfix sasl|[smtp.acme.io]:587 app@acme.io:¤|{a:16}
msmtp|passwordeval "echo ¤"|{a:16}
mutt|set imap_pass = "¤"|{a:16}
fetchmail|poll imap.acme.io user app pass "¤"|{a:16}
swaks|swaks --to a@b.io --auth-user app --auth-password ¤|{a:16}
nodemailer|nodemailer.createTransport({ host: 'smtp', auth: { user: 'app', pass: '¤' } })|{a:16}
passport oauth|new GoogleStrategy({ clientID: 'a', clientSecret: '¤' })|{w:24}
express session|app.use(session({ secret: '¤', resave: false }))|{a:24}
jwt sign|jwt.sign({ id: 1 }, '¤', { expiresIn: '1h' })|{a:32}
jwt verify python|jwt.decode(tok, "¤", algorithms=["HS256"])|{a:32}
hmac node|crypto.createHmac('sha256', '¤').update(body)|{a:32}
hmac python|hmac.new(b"¤", body, hashlib.sha256)|{a:32}
fernet|Fernet(b"¤=")|{a:43}
aes cipher js|crypto.createCipheriv('aes-256-cbc', '¤', iv)|{a:32}
boto3|boto3.client('s3', aws_access_key_id='AKIA{T:16}', aws_secret_access_key='¤')|{b:40}
twilio client|new Twilio('AC{h:32}', '¤')|{h:32}
stripe webhook construct|stripe.webhooks.constructEvent(body, sig, '¤')|whsec_{a:32}
redis python|redis.Redis(host='r', port=6379, password='¤')|{a:20}
paramiko|ssh.connect('h', username='app', password='¤')|{a:14}
fabric|env.password = '¤'|{a:14}
spring yaml|spring:\n  mail:\n    username: app\n    password: '¤'|{a:16}
tomcat users|<user username="adm" password="¤" roles="manager-gui"/>|{a:12}
web.config|<add name="Main" connectionString="Data Source=db;User ID=app;Password=¤" />|{a:14}
appsettings|"Jwt": { "Key": "¤", "Issuer": "acme" }|{a:40}
jenkins credentials|<com.cloudbees.plugins.credentials.impl.UsernamePasswordCredentialsImpl><username>a</username><password>¤</password>|{a:18}
gradle props|signing.password=¤\nossrhPassword=x|{a:14}
android keystore|keyPassword '¤'\nkeyAlias 'a'|{a:12}
fastlane match|MATCH_PASSWORD=¤ fastlane match|{a:16}
xcode notarize|xcrun notarytool submit a.zip --apple-id a@b.io --team-id X --password ¤|{c:4}-{c:4}-{c:4}-{c:4}
signtool|signtool sign /f a.pfx /p ¤ a.exe|{a:12}
openssl pkcs12|openssl pkcs12 -export -in a.pem -out a.p12 -passout pass:¤|{a:14}
certutil|certutil -p ¤ -importpfx a.pfx|{a:12}
ssh agent expect|ssh-add <(echo "¤")|{a:20}
pass insert|echo "¤" | pass insert -e acme/db|{a:18}
keyring set|keyring.set_password("acme", "app", "¤")|{a:16}
security keychain|security add-generic-password -a app -s acme -w ¤|{a:16}
secret-tool|printf ¤ | secret-tool store --label=a k v|{a:16}
cmdkey|cmdkey /add:srv /user:adm /pass:¤|{a:12}
github action env|      env:\n        NPM_AUTH: ¤|{a:36}
gitlab ci var|curl --request POST --header "PRIVATE-TOKEN: x" --form "key=DB_PASS" --form "value=¤"|{a:20}
circleci context|echo "¤" | circleci context store-secret github acme DB|{a:20}
pulumi config|pulumi config set --secret dbPassword ¤|{a:16}
cdk context|cdk deploy -c dbPassword=¤|{a:16}
serverless param|sls deploy --param="dbPassword=¤"|{a:16}
eb setenv|eb setenv DB_PASS=¤ DEBUG=1|{a:16}
gcloud sql|gcloud sql users set-password app --instance=i --password=¤|{a:14}
az sql|az sql server create -n a --admin-user adm --admin-password ¤|{a:14}
aws rds|aws rds create-db-instance --db-instance-identifier a --master-user-password ¤|{a:14}
aws cognito|aws cognito-idp admin-set-user-password --username a --password ¤ --permanent|{a:12}!{d:1}
doctl registry|doctl auth init -t ¤|{h:64}
hcloud context|export HCLOUD_TOKEN='¤'|{a:64}
supabase link|supabase link --project-ref a -p ¤|{a:16}
firebase ci|firebase deploy --token "1//0¤"|{w:60}
netlify env|netlify env:set SMTP_PASS ¤|{a:16}
convex env|npx convex env set AUTH_SECRET ¤|{a:32}
wrangler vars|wrangler deploy --var API_SECRET:¤|{a:24}
basic auth caddy|basicauth {\n  app ¤\n}|JDJ5{b:76}
graphql header|{"headers": {"x-hasura-admin-secret": "¤"}}|{a:20}
postman env|{"key": "apiToken", "value": "¤", "enabled": true}|{a:32}
har cookie|{"name": "session_id", "value": "¤", "domain": "acme.io"}|{a:40}
k8s env yaml|- name: DB_PASSWORD\n  value: "¤"|{a:16}
cloudformation param|ParameterKey=DbPassword,ParameterValue=¤|{a:14}
ecs task env|{"name": "DB_PASSWORD", "value": "¤"}|{a:14}
csv row|name,username,password\nacme,app,¤|{a:16}
markdown table|\| password \| ¤ \||{a:16}
log line|DEBUG auth: user=app pwd=¤ ok=true|{a:12}
spanish prose|La contraseña es ¤, guárdala.|{a:14}
french prose|Le mot de passe est ¤ pour l'instant.|{a:14}
chat prose|pw: ¤|{a:14}
chat creds|login: app / ¤|{a:14}
dutch prose|Het wachtwoord is ¤.|{a:14}`;

export type UnseenKind = SecretKind & { heldBack: boolean };

export const UNSEEN_KINDS: readonly UnseenKind[] = [
  ...kinds(TOKENS, 'token'),
  ...kinds(NAMED, 'named'),
  ...kinds(PLACES, 'place'),
];

function kinds(table: string, sort: SecretKind['sort']): UnseenKind[] {
  return table.split('\n').map((row, n) => {
    const [first, last] = [row.indexOf('|'), row.lastIndexOf('|')];
    const kind = {
      name: row.slice(0, first),
      form: row.slice(last + 1),
      source: "the vendor's documentation",
    };
    const frame = row
      .slice(first + 1, last)
      .replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
    return { ...kind, sort, heldBack: n % 2 === 1, ...(sort === 'place' ? { frame } : {}) };
  });
}
