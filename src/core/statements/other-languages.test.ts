import { describe, expect, it } from 'vitest';
import type { L1Line } from '../model/l1.ts';
import { statementsOf } from './statements-of.ts';

type Part = Partial<L1Line> & Pick<L1Line, 'role'>;
const session = (...parts: Part[]): L1Line[] =>
  parts.map((part, index) => ({
    ts: `2026-03-01T10:00:${String(index % 60).padStart(2, '0')}Z`,
    src: index * 100,
    ...part,
  }));
const user = (text: string, rest: Partial<L1Line> = {}): Part => ({ role: 'user', text, ...rest });
const agent = (text: string): Part => ({ role: 'assistant', text });
const bash = (target: string, rest: Partial<L1Line> = {}): Part => ({
  role: 'tool',
  name: 'Bash',
  target,
  ...rest,
});
const edit = (target: string, diff: string): Part => ({ role: 'tool', name: 'Edit', target, diff });

/** A session of someone who does not write English: each has the same verdicts in it. */
type Talk = {
  ask: string;
  /** What the agent says is the cause, and the user refutes. */
  claim: string;
  objection: string;
  concession: string;
  question: string;
  answer: string;
  option: string;
  plan: string;
  subject: string;
  body: string;
  /** What an agent claims of an edit that is taken back afterwards. */
  undone: string;
  takeBack: string;
  restored: string;
  /** Talk of the day, and a question that nobody answered. */
  chatter: string[];
};

const TALKS: Record<string, Talk> = {
  Chinese: {
    ask: '订单导出的时候金额不对，帮我看一下。',
    claim: '原因是 `formatAmount` 把金额四舍五入了两次，已经确认。',
    objection: '不对，formatAmount 根本没有被调用，你再看看。',
    concession: '你说得对，是我看错了。真正的原因是汇率缓存没有过期。',
    question: '导出文件应该用什么编码？',
    answer: 'UTF-8 带 BOM',
    option: 'Excel 打开时不会乱码',
    plan: '# 计划\n\n- 汇率缓存的有效期改为十分钟，因为银行每十分钟更新一次汇率。\n- 导出任务放到队列里执行，避免请求超时。',
    subject: 'fix: 汇率缓存十分钟后过期',
    body: '之前缓存永远不会过期，所以导出的金额使用了旧的汇率。',
    undone: '我把 `export.ts` 改成了同步写入，这样更简单。',
    takeBack: '先把刚才的修改撤回吧。',
    restored: '已经撤回。',
    chatter: ['好的，继续。', '测试跑完了吗？'],
  },
  German: {
    ask: 'Beim Export der Bestellungen stimmen die Beträge nicht, bitte schau dir das an.',
    claim: 'Die Ursache ist, dass `formatAmount` die Beträge zweimal rundet, das habe ich bestätigt.',
    objection: 'Nein, das stimmt nicht, formatAmount wird dort gar nicht aufgerufen.',
    concession: 'Du hast recht, ich habe mich geirrt. Der Zwischenspeicher der Wechselkurse läuft nie ab.',
    question: 'Welche Kodierung soll die exportierte Datei haben?',
    answer: 'UTF-8 mit BOM',
    option: 'Excel zeigt die Umlaute dann richtig an',
    plan: '# Plan\n\n- Der Zwischenspeicher der Wechselkurse läuft nach zehn Minuten ab, weil die Bank sie alle zehn Minuten erneuert.\n- Der Export läuft künftig in einer Warteschlange, damit Anfragen nicht abbrechen.',
    subject: 'fix: Wechselkurse laufen nach zehn Minuten ab',
    body: 'Der Zwischenspeicher lief nie ab, deshalb wurden Beträge mit alten Kursen exportiert.',
    undone: 'Ich habe `export.ts` auf synchrones Schreiben umgestellt, das ist einfacher.',
    takeBack: 'Mach die letzte Änderung bitte wieder rückgängig.',
    restored: 'Die Änderung ist rückgängig gemacht.',
    chatter: ['Gut, weiter so.', 'Sind die Tests schon durchgelaufen?'],
  },
  Russian: {
    ask: 'При экспорте заказов суммы неправильные, посмотри, пожалуйста.',
    claim: 'Причина в том, что `formatAmount` округляет суммы дважды, я это подтвердил.',
    objection: 'Нет, это не так, formatAmount там вообще не вызывается.',
    concession: 'Вы правы, я ошибся. Кэш курсов валют никогда не истекает.',
    question: 'В какой кодировке сохранять файл экспорта?',
    answer: 'UTF-8 с BOM',
    option: 'Excel откроет файл без искажений',
    plan: '# План\n\n- Кэш курсов валют истекает через десять минут, потому что банк обновляет курсы каждые десять минут.\n- Экспорт выполняется в очереди, чтобы запросы не прерывались по времени.',
    subject: 'fix: кэш курсов истекает через десять минут',
    body: 'Раньше кэш никогда не истекал, поэтому суммы экспортировались по старому курсу.',
    undone: 'Я перевёл `export.ts` на синхронную запись, так проще.',
    takeBack: 'Верни, пожалуйста, последнее изменение обратно.',
    restored: 'Изменение отменено.',
    chatter: ['Хорошо, продолжай.', 'Тесты уже прошли?'],
  },
};

const linesOf = (talk: Talk): L1Line[] =>
  session(
    user(talk.ask),
    agent(talk.claim),
    user(talk.objection),
    agent(talk.concession),
    user(talk.answer, { reply: true, asked: talk.question, choice: talk.option }),
    { role: 'tool', name: 'ExitPlanMode', text: talk.plan },
    edit('src/rates.ts', '-const ttl = Infinity\n+const ttl = 600'),
    bash('npx vitest run src/rates.test.ts | tail -5'),
    bash(`git commit -m "$(cat <<'EOF'\n${talk.subject}\n\n${talk.body}\nEOF\n)"`),
    user(talk.chatter[0]!),
    edit('src/export.ts', '-await queue.add(orderExportJob)\n+writeFileSync(path, orders)'),
    agent(talk.undone),
    user(talk.takeBack),
    edit('src/export.ts', '-writeFileSync(path, orders)\n+await queue.add(orderExportJob)'),
    agent(talk.restored),
    user(talk.chatter[1]!),
  );

describe.each(Object.entries(TALKS))('a session in %s', (_, talk) => {
  const found = statementsOf(linesOf(talk));
  const texts = found.map(({ text }) => text).join('\n');

  it('has the answer with its question and option', () => {
    expect(texts).toContain(`Asked: ${talk.question} User: "${talk.answer}" (${talk.option})`);
  });

  it('has the accepted plan and the commit', () => {
    const plan = found.filter(({ foundBy }) => foundBy === 'plan');
    expect(plan.map(({ text }) => text).join('\n')).toContain(talk.plan.split('\n- ')[1]);
    const commit = found.find(({ foundBy }) => foundBy === 'commit');
    expect(commit?.text).toBe(`Commit: ${talk.subject} — ${talk.body}`);
  });

  it('states nothing that was refuted or undone', () => {
    expect(texts).not.toContain(talk.claim);
    expect(texts).not.toContain('formatAmount');
    expect(texts).not.toContain(talk.undone);
  });

  it('makes no rule, no preference and nothing open of the talk of the day', () => {
    expect(found.filter(({ kind }) => ['rule', 'preference', 'constraint', 'open'].includes(kind))).toEqual(
      [],
    );
    for (const text of [...talk.chatter, talk.takeBack, talk.restored]) expect(texts).not.toContain(text);
  });

  it('quotes what is in its lines', () => {
    const lines = linesOf(talk);
    for (const { quotes } of found)
      for (const { line, field, text } of quotes) expect(String(lines[line - 1]?.[field])).toContain(text);
  });
});
