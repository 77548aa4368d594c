import type { SecretKind } from './secret-kind.ts';

const TRUFFLEHOG = 'github.com/trufflesecurity/trufflehog, pkg/detectors';
const MANUALS = "the tool's own manual page";
const VENDORS = "the vendor's API reference";

/** Values without a recognizable form; only their name shows what they are. */
const NAMED = `aws_secret_access_key|{b:40}
aws_session_token|{b:120}
datadog_api_key|{h:32}
datadog_app_key|{h:40}
cloudflare_api_token|{w:40}
cloudflare_api_key|{h:37}
algolia_admin_api_key|{h:32}
cohere_api_key|{a:40}
mistral_api_key|{a:32}
together_api_key|{h:64}
assemblyai_api_key|{h:32}
deepgram_api_key|{h:40}
wandb_api_key|{h:40}
azure_openai_api_key|{h:32}
azure_storage_account_key|{b:86}==
azure_functions_key|{w:54}==
cosmos_primary_key|{b:86}==
linode_token|{h:64}
hcloud_token|{a:64}
vultr_api_key|{U:36}
scw_secret_key|{x}
heroku_api_key|{x}
railway_token|{x}
vercel_token|{a:24}
ngrok_authtoken|{a:27}_{a:21}
okta_api_token|00{w:40}
auth0_client_secret|{w:64}
twilio_auth_token|{h:32}
vonage_api_secret|{a:16}
postmark_server_token|{x}
mailjet_secret_key|{h:32}
zendesk_api_token|{a:40}
intercom_access_token|{b:60}=
trello_api_key|{h:32}
asana_client_secret|{h:32}
snowflake_private_key_passphrase|{a:20}
confluent_api_secret|{b:64}
upstash_redis_rest_token|{a:56}
pagerduty_api_key|{w:20}
rollbar_access_token|{h:32}
splunk_hec_token|{x}
snyk_token|{x}
codecov_token|{x}
travis_api_token|{w:22}
discord_client_secret|{w:32}
spotify_client_secret|{h:32}
reddit_client_secret|{w:30}
linkedin_client_secret|{a:16}
twitter_api_secret|{a:50}
pusher_app_secret|{h:20}
mixpanel_api_secret|{h:32}
segment_write_key|{a:32}
livekit_api_secret|{a:43}
mux_token_secret|{b:75}
etherscan_api_key|{U:34}
alchemy_api_key|{w:32}
infura_project_secret|{h:32}
wallet_private_key|0x{h:64}
django_secret_key|{a:50}
nextauth_secret|{b:43}=
jwt_secret|{h:64}
session_secret|{a:48}
encryption_key|{b:43}=
webhook_secret|{h:40}
cloudinary_api_secret|{w:27}
ably_api_key|{a:6}.{a:6}:{w:43}
facebook_app_token|{d:15}-{a:27}
mailgun_signing_key|{h:32}-{h:8}-{h:8}
gocardless_access_token|live_{w:40}
lob_api_key|live_{h:35}
resend_api_key|re_{a:8}_{a:24}
harness_api_token|pat.{a:22}.{h:24}.{a:20}
infracost_api_key|ico-{a:32}
maxmind_license_key|{a:6}_{a:29}_mmk
rancher_token|token-{l:5}:{l:54}
cargo_registry_token|cio{a:32}
twitch_oauth_token|oauth:{l:30}
render_api_key|rnd_{a:32}
rapidapi_api_key|{l:10}msh{l:15}p1{l:6}jsn{l:12}
authress_access_key|sc_{l:12}.{l:5}.acc-{l:20}.{w:60}
sumologic_access_key|{a:64}`;

/** Passwords as people and generators make them. */
const PASSWORDS = `password, letters and digits|{a:14}
password with a sign|{a:9}!{a:4}
password with signs|{A:5}#{d:3}\${a:8}
password, short|{a:9}
password of words|{c:6}-{c:8}-{d:2}{a:3}
password, long|{a:32}
password, hex|{h:24}
password with a year|{A:9}2024!
password, base64|{b:22}==
password with an at sign|{a:8}%40{a:5}
database password|{a:16}
root password|{l:12}
admin password|{A:4}{d:4}{A:4}
smtp password|{l:16}
ftp password|{a:11}
redis password|{a:28}
mongo password|{a:18}
ldap password|{a:12}+{d:2}
wifi passphrase|{l:10}{d:4}
keystore password|{l:9}{d:3}
passphrase|{c:7}.{c:8}.{d:3}
service account password|{a:24}
backup password|{a:20}
registry password|{a:26}`;

/** Commands, calls and files in which only the place of a value shows what it is. */
const PLACES = String.raw`mysql -p|mysql -u root -p¤ app|{a:12}
mysqldump -p|mysqldump -h db -uapp -p¤ app > app.sql|{a:14}
mysqladmin -p|mysqladmin -u root -p¤ status|{l:12}
sshpass -p|sshpass -p ¤ ssh deploy@10.0.0.4|{a:13}
sshpass -p quoted|sshpass -p '¤' scp a.txt deploy@host:|{a:9}!{a:3}
docker login -p|docker login -u bot -p ¤ images.acme.io|{a:20}
podman login -p|podman login -u bot -p ¤ quay.io|{a:20}
helm registry login|helm registry login -u bot -p ¤ images.acme.io|{a:20}
az login -p|az login --service-principal -u {x} -p ¤ --tenant acme|{w:34}
redis-cli -a|redis-cli -h cache -a ¤ ping|{a:16}
sqlcmd -P|sqlcmd -S db -U sa -P ¤ -Q "select 1"|{a:12}!{d:1}
bcp -P|bcp app.dbo.t out t.dat -S db -U sa -P ¤|{a:14}
ldapsearch -w|ldapsearch -x -D cn=admin,dc=acme -w ¤ -b dc=acme|{a:13}
mosquitto_pub -P|mosquitto_pub -h mq -u app -P ¤ -t a -m b|{a:13}
mongosh -p|mongosh --host db -u app -p ¤ admin|{a:15}
mongodump -p|mongodump --host db --username app --password ¤ --out d|{a:15}
smbclient -U|smbclient //nas/share -U app%¤|{a:12}
rdesktop -p|xfreerdp /u:admin /p:¤ /v:10.0.0.9|{a:12}
net use|net use Z: \\\\nas\\share /user:app ¤|{a:12}
unzip -P|unzip -P ¤ backup.zip|{a:12}
7z -p|7z x backup.7z -p¤|{a:12}
zip -P|zip -P ¤ out.zip a.txt|{a:12}
openssl passin|openssl rsa -in key.pem -passin pass:¤|{a:14}
openssl enc -k|openssl enc -aes-256-cbc -k ¤ -in a -out b|{a:14}
gpg --passphrase|gpg --batch --passphrase ¤ -d a.gpg|{a:15}
ssh-keygen -N|ssh-keygen -t ed25519 -N ¤ -f id|{a:14}
keytool -storepass|keytool -list -keystore k.jks -storepass ¤|{a:10}
curl -u|curl -u admin:¤ https://acme.io/api|{a:12}
curl -u joined|curl -uadmin:¤ https://acme.io/api|{a:12}
curl -u next line|curl -s \\\n  -u \\\n  admin:¤ \\\n  https://acme.io/api|{a:12}
curl --user|curl --user 'svc:¤' https://acme.io/api|{a:10}!{a:2}
wget --password|wget --user=app --password=¤ https://acme.io/f|{a:12}
http -a|http -a admin:¤ GET https://acme.io/api|{a:12}
aws configure set|aws configure set aws_secret_access_key ¤ --profile prod|{b:40}
gh secret set|gh secret set DEPLOY_KEY --body ¤|{a:24}
kubectl create secret|kubectl create secret generic db --from-literal=password=¤|{a:14}
npm config set|npm config set //images.acme.io/:_authToken ¤|{a:36}
git remote|git remote set-url origin https://¤@github.com/acme/app.git|{a:40}
git remote with user|git clone https://oauth2:¤@git.acme.io/app.git|{a:24}
heroku config:set|heroku config:set DB_PASSWORD=¤ -a acme|{a:14}
docker -e|docker run -e MYSQL_ROOT_PASSWORD=¤ mysql:8|{a:12}
echo into passwd|echo 'app:¤' | chpasswd|{a:12}
htpasswd -b|htpasswd -b .htpasswd admin ¤|{a:12}
vault kv put|vault kv put secret/db password=¤|{a:14}
psql conninfo|psql "host=db user=app password=¤ dbname=app"|{a:14}
snowsql|SNOWSQL_PWD=¤ snowsql -a acme -u app|{a:14}
sql identified by|CREATE USER 'app'@'%' IDENTIFIED BY '¤';|{a:12}
sql identified with|ALTER USER 'app' IDENTIFIED WITH mysql_native_password BY '¤';|{a:12}
postgres role|CREATE ROLE app WITH LOGIN PASSWORD '¤';|{a:12}
postgres alter|ALTER USER app WITH ENCRYPTED PASSWORD '¤';|{a:12}
sql server login|CREATE LOGIN app WITH PASSWORD = '¤';|{a:12}
mysql set password|SET PASSWORD FOR 'app'@'%' = PASSWORD('¤');|{a:12}
redis requirepass|requirepass ¤|{a:24}
redis auth|AUTH default ¤|{a:24}
php define|define('DB_PASSWORD', '¤');|{a:12}
php define salt|define('AUTH_KEY', '¤');|{a:48}
laravel config|config(['mail.password' => '¤']);|{a:14}
ruby config|config.api_key = '¤'|{h:32}
java setter|dataSource.setPassword("¤");|{a:12}
java property|spring.datasource.password=¤|{a:12}
python keyword|connect(host='db', user='app', passwd='¤')|{a:12}
go literal|cfg := Config{Password: "¤"}|{a:12}
csharp credential|new NetworkCredential("app", "¤")|{a:12}
powershell|ConvertTo-SecureString "¤" -AsPlainText -Force|{a:14}
connection string|Server=db;Database=a;User Id=app;Password=¤;|{a:12}
connection string pwd|Server=db;Uid=app;Pwd=¤;|{a:12}
jdbc url|jdbc:mysql://db/app?user=app&password=¤|{a:12}
mongodb url|mongodb+srv://app:¤@cluster0.acme.mongodb.net/app|{a:16}
redis url|rediss://default:¤@cache.acme.io:6379|{a:32}
amqp url|amqps://app:¤@mq.acme.io/app|{a:16}
smtp url|smtp://app%40acme.io:¤@smtp.acme.io:587|{a:14}
token in url|https://¤@git.acme.io/app.git|{a:40}
token in query|https://acme.io/api?api_key=¤&page=2|{a:24}
azure sas|https://acme.blob.core.windows.net/c/f?sv=2022-11-02&se=2026-01-01&sr=b&sp=r&sig=¤%3D|{a:43}
amazon signature|https://acme.s3.amazonaws.com/f?X-Amz-Credential=AKIA{T:16}&X-Amz-Signature=¤|{h:64}
google signature|https://storage.googleapis.com/b/o?X-Goog-Expires=600&X-Goog-Signature=¤|{h:128}
cloudfront signature|https://d1.cloudfront.net/f?Expires=1767225600&Signature=¤&Key-Pair-Id=K2|{w:171}
x-api-key|x-api-key: ¤|{A:28}
authorization bearer|Authorization: Bearer ¤|{a:40}
authorization basic|Authorization: Basic ¤==|{a:26}
authorization plain|Authorization: ¤|{a:40}
proxy authorization|Proxy-Authorization: Basic ¤==|{a:26}
x-auth-token|X-Auth-Token: ¤|{h:32}
private-token|PRIVATE-TOKEN: ¤|{a:20}
x-vault-token|X-Vault-Token: ¤|{a:26}
csrf header|X-CSRF-Token: ¤|{a:32}
cookie session|Cookie: theme=dark; session=¤; lang=en|{w:43}
cookie, other name|Cookie: app_uid=¤; consent=1|{a:40}
set-cookie|Set-Cookie: connect.sid=s%3A¤; Path=/; HttpOnly|{a:32}.{a:43}
cookie of curl|curl -b 'sessionid=¤' https://acme.io|{l:32}
cookie in code|document.cookie = 'auth=¤; path=/'|{a:40}
netrc|machine acme.io login app password ¤|{a:14}
pgpass|db.acme.io:5432:app:app:¤|{a:14}
npmrc|//images.acme.io/:_password=¤|{b:24}==
pypirc|[pypi]\nusername = app\npassword = ¤|{a:16}
aws credentials|[default]\naws_access_key_id = AKIA{T:16}\naws_secret_access_key = ¤|{b:40}
git credentials|https://app:¤@github.com|{a:24}
docker config|{"auths": {"acme.io": {"auth": "¤=="}}}|{a:26}
wpa supplicant|psk="¤"|{a:14}
kubeconfig|    client-key-data: ¤=|{a:200}
kubernetes secret|kind: Secret\ndata:\n  password: ¤=|{a:23}
ansible|ansible_ssh_pass=¤|{a:12}
ansible become|ansible_become_password: ¤|{a:12}
terraform|master_password = "¤"|{a:14}
xml|<password>¤</password>|{a:12}
maven server|<server><id>a</id><password>¤</password></server>|{a:14}
plist|<key>ApiSecret</key><string>¤</string>|{a:32}
toml|secret-key = "¤"|{a:40}
wireguard|PrivateKey = ¤=|{b:43}
rails master key|RAILS_MASTER_KEY=¤|{h:32}
url encoded form|grant_type=password&username=app&password=¤&scope=a|{a:14}
prompt answer|Password for app: ¤|{a:14}
generated password|Generated password: ¤|{a:16}
temporary password|Temporary password is ¤ and expires today|{a:14}
rsa private key|-----BEGIN RSA PRIVATE KEY-----\n¤{b:24}\n{b:64}\n{b:40}==\n-----END RSA PRIVATE KEY-----|{a:40}
openssh private key|-----BEGIN OPENSSH PRIVATE KEY-----\n¤{b:30}\n{b:70}\n-----END OPENSSH PRIVATE KEY-----|{a:40}
pgp private key|-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n¤{b:24}\n{b:64}\n=AbCd\n-----END PGP PRIVATE KEY BLOCK-----|{a:40}
private key, one line|"private_key": "-----BEGIN PRIVATE KEY-----\\n¤{b:24}\\n{b:64}\\n-----END PRIVATE KEY-----\\n"|{a:40}
private key, numbered|     1→-----BEGIN EC PRIVATE KEY-----\n     2→¤{b:24}\n     3→{b:40}==\n     4→-----END EC PRIVATE KEY-----|{a:40}
private key, escaped arrows|     1\\u2192-----BEGIN EC PRIVATE KEY-----\\n     2\\u2192¤{b:24}\\n     3\\u2192{b:40}==\\n     4\\u2192-----END EC PRIVATE KEY-----|{a:40}`;

function rows(table: string): string[][] {
  return table.split('\n').map((row) => {
    const [first, last] = [row.indexOf('|'), row.lastIndexOf('|')];
    return [row.slice(0, first), row.slice(last + 1), row.slice(first + 1, Math.max(first + 1, last))];
  });
}

/** `\n` is a line break, `\\` a backslash. */
function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}

function kinds(table: string, source: string, sort: SecretKind['sort']): SecretKind[] {
  return rows(table).map(([name = '', form = '', frame = '']) => ({
    name,
    form,
    source,
    sort,
    ...(sort === 'place' ? { frame: unescaped(frame) } : {}),
  }));
}

export const NAMED_KINDS: readonly SecretKind[] = [
  ...kinds(NAMED, TRUFFLEHOG, 'named'),
  ...kinds(PASSWORDS, VENDORS, 'password'),
  ...kinds(PLACES, MANUALS, 'place'),
];
