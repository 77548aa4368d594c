import { termsOf } from '../text/terms.ts';

/**
 * A word of a question, and words of its answers. General and technical English, written by hand, in one direction only: a
 * question about an instrument may mean the piano, a question about the piano means only the piano.
 */
const RELATED = `
kid: child son daughter baby
child: kid son daughter baby boy girl toddler
parent: mother father mom dad
mother: mom mum parent
father: dad parent
family: mother father mom dad parent brother sister son daughter aunt uncle cousin grandma grandpa husband wife kid fam
relative: aunt uncle cousin grandmother grandfather niece nephew
sibling: brother sister
grandmother: grandma granny
grandfather: grandpa
husband: wife spouse partner married
spouse: husband wife partner
partner: husband wife boyfriend girlfriend spouse
relationship: married dating boyfriend girlfriend husband wife partner single breakup divorce
marriage: wedding married husband wife
status: single married divorced
friend: buddy pal mate bestie
colleague: coworker workmate teammate
coworker: colleague workmate
boss: manager employer lead
neighbor: neighbour nextdoor
pet: dog cat puppy kitten hamster rabbit bird fish turtle parrot snake horse animal
dog: puppy pup
cat: kitten kitty
animal: dog cat bird horse bear deer turtle rabbit fish wolf wildlife pet
instrument: guitar piano violin drum flute clarinet cello trumpet saxophone keyboard bass ukulele harp
music: song band concert album singer rock jazz pop classical rap tune melody playlist
song: music track tune sing
concert: gig show band
movie: film cinema trailer director actor thriller comedy drama
film: movie cinema
show: series episode tv season
book: novel author chapter series fantasy read story fiction
novel: book story
genre: fantasy thriller romance mystery drama comedy horror scifi
author: writer wrote book
art: paint draw sculpture sketch pottery canvas mural portrait artwork
paint: canvas art artwork watercolor
draw: sketch art
photo: picture pic image photograph
picture: photo pic image
image: photo picture screenshot
color: red blue green yellow purple orange pink black white brown
sport: basketball football soccer tennis golf baseball hockey swim surf ski climb volleyball boxing cricket rugby
team: club squad teammate
game: chess poker videogame console xbox playstation nintendo multiplayer boardgame tournament puzzle
tournament: competition contest championship
competition: tournament contest championship race
race: run marathon
exercise: gym workout yoga run jog swim bike hike pilates weight fitness kickboxing stretch
workout: gym exercise fitness training
hobby: paint read write cook bake garden photography hike knit draw craft fish dance pottery gaming enjoy pastime
interest: hobby enjoy passion
activity: hobby hike camp swim paint game class
outdoor: hike camp trail park mountain beach lake forest picnic climb surf kayak fish nature
nature: forest tree lake mountain river ocean sunset flower hike outdoors
hike: trail trek mountain
beach: ocean sea sand surf
ocean: sea beach
mountain: peak hill climb
flower: rose sunflower tulip lily daisy plant
plant: garden flower
weather: rain snow storm sunny wind cold
disaster: flood fire hurricane storm earthquake accident
season: summer winter spring autumn fall
holiday: christmas thanksgiving easter halloween vacation
vacation: holiday trip travel
travel: trip journey visit vacation flight
trip: travel journey vacation tour roadtrip
visit: trip travel tour
country: france germany italy spain england uk ireland japan china india brazil mexico canada australia sweden norway thailand greece turkey egypt kenya usa america europe nation
city: paris london rome tokyo york boston chicago seattle angeles francisco berlin barcelona sydney toronto miami town
state: california texas florida ohio oregon washington colorado hawaii alaska nevada michigan georgia minnesota
town: city village
place: location spot city town park museum cafe
location: place spot city town
house: home apartment
home: house apartment room kitchen backyard
move: relocate
food: pizza pasta salad burger soup sandwich cake bread cheese chicken sushi taco rice meal snack recipe eat cook
meal: dinner lunch breakfast food dish
dish: pasta salad soup curry lasagna stew sushi recipe cook roast meal
dessert: cake cookie pie chocolate cream pudding brownie cupcake tart mousse sweet
recipe: cook bake dish ingredient
cook: recipe bake kitchen meal
bake: cake cookie bread oven
restaurant: cafe diner bistro
drink: coffee tea wine beer juice smoothie soda
vegetable: tomato carrot spinach potato pepper onion broccoli
fruit: apple banana orange strawberry blueberry mango peach
clothes: dress shirt jacket shoe jeans hoodie skirt hat coat outfit clothing
clothing: clothes dress shirt outfit
jewelry: necklace ring bracelet earring pendant
vehicle: car truck bike motorcycle bus van
car: vehicle automobile drive
bike: bicycle cycling
device: phone laptop computer tablet camera console
computer: laptop pc
phone: mobile cell
job: work career engineer teacher nurse doctor manager chef lawyer designer developer position hire occupation
career: job profession work
profession: job career work
work: job career
company: business firm startup employer
business: store shop startup company customer brand studio client
store: shop
shop: store
school: college university class teacher student degree graduate campus
college: university school
university: college school
education: school college university degree study course
degree: university college graduate major master bachelor phd
class: course lesson workshop
course: class lesson
study: learn course degree
health: doctor hospital diet sick weight medical checkup asthma
doctor: physician hospital medical
illness: sick cancer flu diabetes asthma allergy fever pain disease
sick: ill illness
allergy: allergic dairy gluten peanut
injury: hurt injured accident sprain broken
accident: crash injury
stress: anxiety overwhelm pressure
anxiety: stress nervous
emotion: happy sad angry proud anxious excited grateful lonely scared nervous
feel: happy sad proud excited nervous overwhelmed grateful relieved
happy: glad joy excited
excited: thrilled stoked
sad: upset grief
scared: afraid fear
fear: scared afraid
relax: unwind destress chill calm
money: cash budget loan savings fund price cost dollar
financial: money bank budget loan debt income expense
buy: purchase bought
purchase: buy
gift: present
event: parade festival concert party wedding meeting conference workshop fundraiser tournament race show fair
festival: fest fair event
celebrate: birthday party anniversary wedding celebration
party: celebrate celebration birthday
volunteer: shelter charity homeless donate community
charity: donate fundraiser volunteer
religion: church faith god prayer christian bible
faith: church god religion
political: politics election campaign
military: army veteran service
award: prize trophy medal win certificate
prize: award trophy medal
win: victory champion trophy
goal: dream aim target
dream: goal aspiration
plan: intend going hope
like: love enjoy favorite
favorite: love best
enjoy: love like fun
hate: dislike
advice: suggest recommend tip
recommend: suggest advice
suggest: recommend advice
help: support assist aid
support: help assist
inspire: motivate inspiration
motivate: inspire inspiration
symbolize: represent stand mean
represent: symbolize stand mean
challenge: difficulty struggle tough obstacle
struggle: challenge tough difficult
difficult: hard tough
begin: start
start: begin launch
finish: complete done
participate: join attend
attend: join participate
join: participate attend
pursue: chase follow
decide: choose decision pick
choose: decide pick decision
decision: decide choose agree
change: transform alter
transform: change
death: died passed loss
die: death passed
hair: haircut dye
memory: remember remind
database: postgres postgresql mysql sqlite mongo mongodb redis dynamodb mariadb sql
language: python typescript javascript rust golang java kotlin ruby php swift english spanish french german
framework: react vue svelte angular django flask rails express nextjs spring
frontend: react vue css html ui browser page
backend: server api database endpoint
bundler: webpack rollup vite esbuild rolldown parcel
linter: eslint biome ruff golangci clippy pylint
formatter: prettier biome gofmt black rustfmt
container: docker podman kubernetes k8s
cloud: aws gcp azure s3 lambda vercel cloudflare
ci: actions jenkins gitlab pipeline workflow
auth: login oauth jwt token session password sso authentication
authentication: auth login oauth jwt password
login: auth signin authentication
cache: redis memcached ttl lru
queue: kafka rabbitmq sqs worker
editor: vscode vim neovim emacs
secret: token key password credential
credential: secret token password key
deploy: release rollout ship production staging
performance: slow fast latency speed optimize benchmark
slow: performance latency timeout
bug: fix issue error broken
fix: bug repair resolve
error: exception crash fail panic
crash: panic segfault exception
delete: remove drop
remove: delete drop
config: configuration setting option
configuration: config setting option
setting: config option preference
documentation: doc readme
directory: folder dir
folder: directory dir
repository: repo
parameter: param arg argument
argument: arg param
refactor: restructure cleanup simplify
upgrade: update bump
dependency: package library module
library: package dependency
`;

/** Letters that a word and its stem begin with alike. */
const SHARED = 2;

/** Terms that may be where a term was asked for; none for most. */
export function relatedTerms(term: string): string[] {
  // Two words with one stem share what is related to them.
  const words = [...linesLike(term)].filter(([word]) => termsOf(word)[0] === term);
  const found = new Set(termsOf(words.map(([, answers]) => answers).join(' ')));
  return [...found].filter((one) => one !== term);
}

/** Lines whose word begins as a term does: taking the stems of all would take longer than a search. */
function* linesLike(term: string): Generator<[word: string, answers: string]> {
  const start = `\n${term.slice(0, SHARED)}`;
  for (let at = RELATED.indexOf(start); at !== -1; at = RELATED.indexOf(start, at + 1)) {
    const [word = '', answers = ''] = RELATED.slice(at + 1, RELATED.indexOf('\n', at + 1)).split(': ');
    yield [word, answers];
  }
}

/** Every word of the table, for its tests. */
export function askingWords(): string[] {
  return RELATED.trim()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(':')));
}
