import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from '../packages/folders.ts'

/** A title with those of its groups. */
interface Title {
  readonly file: string
  readonly title: string
}

/** The call of a test or group, with its indentation and its title. */
const call = /^( *)(?:describe|it|test)(?:\.\w+(?:\([^\n]*?\))?)*\(\s*(['"`])((?:\\.|(?!\2)[^\\])*)\2/gmu

/** The titles of all tests, in the order of files and lines. */
async function titles(): Promise<Title[]> {
  const files = await Array.fromAsync(glob('{packages/*,site,scripts}/test/**/*.test.ts', { cwd: root }))
  const found: Title[] = []
  for (const file of files.toSorted()) {
    const text = await readFile(path.join(root, file), 'utf8')
    const around: { readonly indent: number; readonly title: string }[] = []
    for (const [, spaces = '', , title = ''] of text.matchAll(call)) {
      while ((around.at(-1)?.indent ?? -1) >= spaces.length) around.pop()
      around.push({ indent: spaces.length, title: title.replaceAll(/\\(.)/gu, '$1') })
      found.push({ file, title: around.map((one) => one.title).join(' › ') })
    }
  }
  // Titles of groups are dropped, since their tests follow.
  return found.filter(({ title }, index) => !(found[index + 1]?.title ?? '').startsWith(`${title} › `))
}

/** The sections that a title such as "specification 4.2 and 4.6: …" cites. */
export const sectionsIn = (title: string): string[] =>
  [...title.matchAll(/\bspecification (\d[\d., and]*)/gu)].flatMap(([, list = '']) =>
    [...list.matchAll(/\d(?:\.\d)?/gu)].map(([section]) => section),
  )

/** Other contracts, by the words in titles. */
const subjects: readonly [string, RegExp][] = [
  [
    'Attacks',
    /attack|hostile|stranger|vandal|rogue|forge|stolen|guess|bomb|inject|escape|spoof|pre-hijack/iu,
  ],
  ['Power cuts, kills and interruptions', /kill|power|crash|interrupt|flush|resum/iu],
  ['Redaction and erasure', /redact|eras(?:e|ure)|who left|leaving|takedown/iu],
  ['Licences', /licen[cs]e/iu],
  ['Freshness', /observ|status|confirm|season/iu],
  [
    'Proofs of the log',
    /merkle|tree|inclusion|consistency|commitment|verif(?:y|ies|ication) of the log|replay/iu,
  ],
]

const listed = (found: readonly Title[]): string =>
  [...Map.groupBy(found, ({ file }) => file)]
    .map(
      ([file, own]) =>
        `- \`${file}\`\n${own.map(({ title }) => `  - ${title.replaceAll(/([<>|*_])/gu, '\\$1')}`).join('\n')}`,
    )
    .join('\n')

/** The tests that prove each rule: the sections of the specification, and further topics, by test title. */
export async function proofs(): Promise<string> {
  const all = await titles()
  const text = await readFile(path.join(root, 'docs/specification.md'), 'utf8')
  const sections = [...text.matchAll(/^##+ (\d(?:\.\d)?) (.+)$/gmu)].map(([, id = '', name = '']) => ({
    id,
    name,
  }))
  const parts = sections.flatMap(({ id, name }) => {
    const own = all.filter(({ title }) => sectionsIn(title).includes(id))
    return own.length === 0 ? [] : [`## ${id} ${name}\n\n${listed(own)}`]
  })
  const others = all.filter(({ title }) => sectionsIn(title).length === 0)
  const more = subjects.map(
    ([name, words]) => `## ${name}\n\n${listed(others.filter(({ title }) => words.test(title)))}`,
  )
  return `${[
    '# Which test proves what',
    'Made from the titles of the tests: the sections of [the specification](../specification.md), then what titles say of other contracts. A test may stand under several.',
    ...parts,
    ...more,
  ].join('\n\n')}\n`
}
