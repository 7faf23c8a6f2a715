import { readFile } from 'node:fs/promises'
import { verifyProof } from '@openfountain/core/internal'
import { NoteError, type VerifierKey, verifierKey, verifiedSplit } from '@openfountain/tlog'
import { z } from 'zod'
import { command } from '../command.ts'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { flag, list, numbered } from '../options.ts'
import { row } from '../row.ts'
import { databaseOption } from '../settings.ts'
import { counted } from '../wording/entries.ts'

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

/** Evidence of a split, as witnesses and mirrors write it. */
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
]
