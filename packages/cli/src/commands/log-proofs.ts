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

/** What signatures of a log prove, and what not. */
export const notProven =
  'Not proven: that everybody was shown this log (compare checkpoints with others), and that what people wrote is true'

/** Evidence of a split, as witnesses and mirrors write it. */
const Split = z.object({
  format: z.literal('openfountain-split/1'),
  checkpoints: z.tuple([z.string(), z.string()]),
  root: z.string(),
  proof: z.array(z.string()),
})

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
    let given: unknown
    try {
      given = JSON.parse(text)
    } catch {
      throw usage(`${file} is not JSON`)
    }
    const split = Split.safeParse(given).data
    if (split !== undefined) {
      const both = await verifiedSplit(split, keys).catch((error: unknown) => {
        if (error instanceof NoteError) return undefined
        throw error
      })
      const [{ origin }] = both ?? [{ origin: '' }]
      const sizes = both?.map(({ size }) => size)
      out.result({ ok: both !== undefined, origin, sizes }, () => [
        both === undefined
          ? 'The evidence does NOT hold'
          : `Proven: whoever has the key of ${inert(origin)} signed two histories, at ${sizes?.join(' and ')} entries`,
      ])
      return both === undefined ? 'unverified' : 'done'
    }
    const found = await verifyProof(given, keys).then(
      (proof) => ({ proof }),
      (error: unknown) => ({ error }),
    )
    if ('error' in found) {
      const problem = found.error instanceof Error ? found.error.message : String(found.error)
      out.result({ ok: false, problem }, () => [`The proof does NOT hold: ${inert(problem)}`])
      return 'unverified'
    }
    const { entries, signed } = found.proof
    const { origin, size, signers } = signed
    const said = entries.map(({ id, at, subject, subjectId, action }) => ({
      id,
      at,
      subject,
      subjectId,
      action,
    }))
    out.result({ ok: true, origin, size, entries: said }, () => [
      `Proven: ${counted(entries.length)} in the log of ${inert(origin)} with ${size} entries, signed by ${signers.map(({ key: { id } }) => id).join(', ')}`,
      ...said.map(({ id, at, subject, subjectId, action }) =>
        inert(`  ${id} ${at} ${subject} ${subjectId} ${action}`),
      ),
      `${notProven}; nor that there are no further entries`,
    ])
    return 'done'
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
