/** Stems of words that people use in every project: what they say of one is little, however rare they are in its memory. */
const WORKING_WORDS = new Set(
  `
  abil abl accept access accident account accur achiev across action activ actual ad add addit adjust agent
  agre ahead ai allow along alreadi altern alway amend anoth answer anymor anyth app appear appli approach
  appropri architectur around ask assist assum attach attempt auto automat avoid back backend backward base
  basic behavior believ best better binari bite block bot branch break browser bug build bunch calcul call care
  case catch caus certain chang chat check checkout ci claud clean cleanup clear cli click close code codebas
  collaps collect color com come command comment commit compar complet comprehens con concept config configur
  confirm conflict confus consid consolid contain content context continu control cool coordin copi correct
  count cover creat current cut data date day deal debug decid dedic default defin delet depend deploy deprec
  descript design despit detail dev diff differ direct directori disabl discuss display doc docker document
  done doubl draft drive duplic e2e earlier easier easili either els elsewher enabl end enough ensur env
  environ error etc even eventu ever everi everyth exact exampl execut exist expect explain explicit export
  expos extend face factor fail failur fallback far fast featur feedback feel figur file fill find fine finish
  first fit fix flow folder follow forc forget format forward framework front full fulli function futur general
  generat get gh git github gitignor give global go goal goe good gotten great green guess guid handl happen
  hard help hide high histori host howev html http https human icon id idea identifi ignor imag immedi
  implement import improv includ index indic inform initi insid instal instead instruct integr interact
  interfac introduc investig involv issu item iter job json keep key kind know larg larger last latest learn
  least leav legaci let level like limit line link list littl live llm load local locat log logic long longer
  look machin main maintain major make mani mark markdown may mayb mcp md mean mention merg messag method might
  mind minut miss mode model modifi modul most move much multi multipl must name nativ need never new next node
  non none note noth npm number nvm occur often ok okay old one open oper optim option org origin other
  otherwis output overal packag page parallel paramet pars part particular pass past path pattern peopl per
  perform perhap person phase pick place plan plugin png point polici possibl post potenti pr pre prefer prefix
  present press prevent previous prior probabl problem process progress project prompt proper pros provid
  public publish pull purpos push put question quick quit random rather read readabl readi readm real reason
  rebas recent ref refactor refer refresh regex regress relat releas reli remain rememb remot remov renam
  repeat replac repli repo report repositori repres request requir respons rest result return revert review rid
  right root row run save say scope screen screenshot script search second section see seem select self send
  sens separ serv server session set setup shell show similar simpl simpli sinc singl skip slow softwar solut
  solv someth sometim somewher sorri sort sound sourc space spec specif src stabl standard start state status
  stay step stick still stop storag store strategi structur stuff sub success suggest suit summari support sure
  switch sync system tackl take talk target task tech tell term termin test text thank thing think though
  thought throw time timestamp titl todo togeth tool top track tri trigger true turn two txt type undefin
  understand unfortun unit unless updat url usag use user valid valu variabl verifi version view vs wait want
  warn way websit week well whole within without word work workflow worth wrap write wrong yes yet
`
    .trim()
    .split(/\s+/),
);

export function isWorkingWord(term: string): boolean {
  return WORKING_WORDS.has(term) || /^\d{1,2}$/.test(term);
}
