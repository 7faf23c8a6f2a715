import { readFile } from 'node:fs/promises'
import { verifyProof, isOnServer } from '@openfountain/core/internal'
import {
  NoteError,
  type VerifierKey,
  verifierKey,
  verifiedSplit,
  logSigner,
  verifierText,
} from '@openfountain/tlog'
import { z } from 'zod'
import { command } from '../command.ts'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { flag, list, numbered, text } from '../options.ts'
import { row } from '../row.ts'
import { databaseOption } from '../settings.ts'
import { counted } from '../wording/entries.ts'
import { logKeyFile, logKeysIn, newKey } from '../log-keys.ts'
import { writePrivately } from '../output-files.ts'
import { addressOptions, siteAddressOf } from '../public-url.ts'

export const keyOption = {
  key: list('VKEY', 'A verifier key of the log, as log key list prints it, from elsewhere than the log'),
}

/** @throws CommandError usage */
export const keysOf = (texts: readonly string[]): Promise<VerifierKey[]> =>
  Promise.all(
    texts.map((text) =>
      verifierKey(text).catch((error: unknown) => {
        throw error instanceof NoteError ? usage(`--key ${error.message}`) : error
      }),
    ),
  )

/** The limits of a proof by signatures. */
export const notProven =
  'Not proven: that everybody was shown this log (compare checkpoints with others), and that what people wrote is true'

const Split = z.object({
  format: z.literal('openfountain-split/1'),
  checkpoints: z.tuple([z.string(), z.string()]),
  root: z.string(),
  proof: z.array(z.string()),
})

/** The statement proven by a proof.json or by the evidence of a split. @throws Error when it does not hold */
async function proven(given: unknown, keys: readonly VerifierKey[]) {
  const split = Split.safeParse(given).data
  if (split !== undefined) {
    const both = await verifiedSplit(split, keys)
    const [{ origin }, sizes] = [both[0], both.map(({ size }) => size)]
    const line = `Proven: whoever has the key of ${inert(origin)} signed two histories, at ${sizes.join(' and ')} entries`
    return { facts: { origin, sizes }, lines: [line] }
  }
  const { entries, signed } = await verifyProof(given, keys)
  const { origin, size, signers } = signed
  const said = entries.map(({ id, at, subject, subjectId, action }) => ({
    id,
    at,
    subject,
    subjectId,
    action,
  }))
  const lines = [
    `Proven: ${counted(entries.length)} in the log of ${inert(origin)} with ${size} entries, signed by ${signers.map(({ key: { id } }) => id).join(', ')}`,
    ...said.map((entry) => inert(`  ${Object.values(entry).join(' ')}`)),
    `${notProven}; nor that there are no further entries`,
  ]
  return { facts: { origin, size, entries: said }, lines }
}

const check = command('log check', {
  summary: 'Checks a proof.json, or the evidence of a split, without a database and without a network.',
  more: 'Exits with 4 when it does not hold. The key must be from elsewhere than the proof: who made the proof could have made a key for it.',
  places: {
    file: 'The proof, as log prove and pages of fountains write it, or what a witness or a mirror keeps of a split',
  },
  options: keyOption,
  examples: {
    'log check proof.json --key "$(cat fountains.example.vkey)"': 'Checks what somebody showed you',
  },
  async run({ file, key }, { out }) {
    if (key.length === 0)
      throw usage('--key is needed: the verifier key of the log, as its operator published it')
    const keys = await keysOf(key)
    const text = await readFile(file, 'utf8')
    try {
      const { facts, lines } = await proven(JSON.parse(text), keys)
      out.result({ ok: true, ...facts }, () => lines)
      return 'done'
    } catch (error) {
      if (error instanceof SyntaxError) throw usage(`${file} is not JSON`)
      const problem = error instanceof Error ? error.message : String(error)
      out.result({ ok: false, problem }, () => [`This does NOT hold: ${inert(problem)}`])
      return 'unverified'
    }
  },
})

const options = {
  ...databaseOption,
  'public-url': addressOptions['public-url'],
  'origin-name': text('NAME', 'The name of the log in checkpoints; default the host of --public-url'),
  'key-id': text('ID', 'The key to retire: the eight digits after the name in log key list'),
  'key-file': text(
    'FILE',
    'Where the keys are kept; default NAME.log-key beside the database NAME.db. Of a database on a server, give what the file has as OPENFOUNTAIN_LOG_KEY',
  ),
}

function keyFileOf(db: string, file: string | undefined): string {
  if (file === undefined && (db === ':memory:' || isOnServer(db)))
    throw usage('--key-file is needed: the keys of a database on a server are read from OPENFOUNTAIN_LOG_KEY')
  return file ?? logKeyFile(db)
}

export const commands = [
  row('log prove', {
    summary: 'Prints a proof that an entry is in the log, which anybody can check offline.',
    more: 'The proof has the entry as everybody can read it, the hashes up to the root of the tree, and the signed checkpoint. log check and the program of docs/log.md check it. What is redacted later stays in a proof that was made before.',
    places: { id: { about: 'The entry', ...numbered } },
    options: {
      ...databaseOption,
      fountain: flag(
        'ID is that of a fountain: proves all entries about it, its reviews, observations, photos and what sources say',
      ),
    },
    examples: {
      'log prove 17 > proof.json': 'Proves an entry',
      'log prove 3 --fountain > proof.json': 'Proves the history of a fountain',
    },
    call: ({ changes }, { id, fountain }) => (fountain ? changes.proveWaypoint(id) : changes.prove([id])),
    text: (proof) => JSON.stringify(proof, undefined, 1),
  }),
  check,
  row('log key', {
    summary: 'Makes and lists the keys that sign checkpoints of the log, so that others can hold you to it.',
    more: 'Keys are in a file that only its owner may read, or in OPENFOUNTAIN_LOG_KEY, never in the database or a backup: keep a copy elsewhere. create makes the first one. rotate adds one beside it: both sign until retire removes the earlier one, so that who knows one learns of the other. replace makes one in place of all, as after a key was lost or stolen. Keys are bound to the line of history that the log has: after a backup was restored without its newest entries, replace them with another --origin-name. list prints verifier keys, for others.',
    places: { action: 'create, rotate, replace, retire or list' },
    options,
    examples: {
      'log key create --public-url https://fountains.example': 'Makes the key of fountains.example',
      'log key rotate': 'Adds the key that will follow',
      'log key retire --key-id 530d903a': 'Ends a rotation',
      'log key list': 'Prints what GET /api/log/keys returns',
    },
    check(given) {
      if (!['create', 'rotate', 'replace', 'retire', 'list'].includes(given.action))
        throw usage('the action must be create, rotate, replace, retire or list')
      if (given.action !== 'list') keyFileOf(given.db, given['key-file'])
      if (given.action === 'retire' && given['key-id'] === undefined)
        throw usage('--key-id is needed: log key list shows the keys')
    },
    async call(registry, given) {
      const { action, 'public-url': publicUrl, 'key-id': id } = given
      if (action === 'list') return { keys: (await registry.changes.keys()) ?? [] }
      const file = keyFileOf(given.db, given['key-file'])
      const earlier = await logKeysIn(file)
      const before = earlier === undefined ? undefined : await logSigner(earlier)
      let words = earlier?.trim().split(/\s+/u) ?? []
      if (action === 'retire') {
        if (!before?.keys.some((key) => key.id === id))
          throw usage(`${file} has no key ${id}: log key list shows the keys`)
        words = words.filter((word) => word.split('+')[3] !== id)
        if (before.keys.length === 1) throw usage('it is the only key: log key rotate adds another first')
      } else {
        if (before === undefined && action === 'rotate')
          throw usage(`${file} has no key: log key create makes one`)
        if (before !== undefined && action === 'create')
          throw usage(`${file} has a key: log key rotate adds another, replace makes one in its place`)
        const host = publicUrl === undefined ? undefined : siteAddressOf(publicUrl).host
        const isAdded = action === 'rotate'
        const origin = isAdded ? before?.origin : (given['origin-name'] ?? host ?? before?.origin)
        if (origin === undefined)
          throw usage('--public-url or --origin-name is needed: checkpoints have the name of their log')
        const history = await registry.changes.origin()
        if (before?.history !== undefined && before.history !== history && before.origin === origin)
          throw usage(
            `a backup was restored, and ${origin} signed the history before it: log key replace with another --origin-name`,
          )
        words = [...(isAdded ? words : [`history:${history}`]), await newKey('--origin-name', origin)]
      }
      const { keys, origin } = await logSigner(words.join('\n'))
      await writePrivately(file, [`${words.join('\n')}\n`])
      return { keys: keys.map(verifierText), file, origin }
    },
    text: ({ keys }) => (keys.length > 0 ? keys : 'The log has no key'),
    note: ({ file, origin }) =>
      file &&
      `${inert(file)} has the keys of ${inert(origin)}. Publish their verifier keys elsewhere, too, and keep a copy of the file`,
  }),
]
