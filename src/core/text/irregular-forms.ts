/** A word, then the forms that no stemmer leads back to it. Forms that are more often another word are left out. */
const FORMS =
  'arise arose arisen,beat beaten,become became,begin began begun,bend bent,bite bit bitten,bleed bled,blow blew blown,' +
  'break broke broken,breed bred,bring brought,build built,buy bought,catch caught,choose chose chosen,come came,' +
  'creep crept,deal dealt,dig dug,draw drew drawn,drink drank drunk,drive drove driven,eat ate eaten,fall fell fallen,' +
  'feed fed,feel felt,fight fought,find found,flee fled,fly flew flown,forbid forbade forbidden,forget forgot forgotten,' +
  'forgive forgave forgiven,freeze froze frozen,give gave given,go went gone,grow grew grown,hang hung,hear heard,' +
  'hide hid hidden,hold held,keep kept,know knew known,lay laid,lead led,leave left,lend lent,lose lost,make made,' +
  'mean meant,meet met,overcome overcame,pay paid,prove proven,rebuild rebuilt,redo redone,ride rode ridden,' +
  'ring rang rung,rise rose risen,run ran,say said,see saw seen,seek sought,sell sold,send sent,sew sewn,' +
  'shake shook shaken,shine shone,shoot shot,show shown,shrink shrank shrunk,sing sang sung,sink sank sunk,sit sat,' +
  'sleep slept,slide slid,speak spoke spoken,spend spent,spin spun,stand stood,steal stole stolen,stick stuck,' +
  'strike struck,swear swore sworn,sweep swept,swim swam swum,swing swung,take took taken,teach taught,tear tore torn,' +
  'tell told,think thought,throw threw thrown,understand understood,undergo underwent undergone,' +
  'undertake undertook undertaken,wake woke woken,wear wore worn,weave wove woven,win won,withdraw withdrew withdrawn,' +
  'write wrote written,rewrite rewrote rewritten,child children,man men,woman women,foot feet,tooth teeth,mouse mice,' +
  'goose geese,wife wives,knife knives,half halves,shelf shelves,wolf wolves,thief thieves,index indices,' +
  'matrix matrices,vertex vertices,criterion criteria,analysis analyses';

/** The plain word of an irregular form: `went` -> `go`, `children` -> `child`. */
export const IRREGULAR_FORMS: ReadonlyMap<string, string> = new Map(
  FORMS.split(',').flatMap((group) => {
    const [word, ...forms] = group.split(' ');
    return forms.map((form) => [form, word!] as const);
  }),
);
