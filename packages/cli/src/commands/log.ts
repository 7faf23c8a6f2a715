import type { Registry, Verification } from '@openfountain/core'
import { command } from '../command.ts'
import { CommandError, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { databaseOption, withRegistry } from '../settings.ts'

/** The line about data that verification does not cover. */
export const notCoveredLine = (notCovered: readonly string[]): string =>
  `Not covered: ${notCovered.map(inert).join('; ')}`

/** The report of a verification. */
export function verificationLines({
  ok,
  entries,
  waypoints,
  redacted,
  head,
  problems,
  notCovered,
}: Verification): string[] {
  const lines = [
    `${entries.toLocaleString('en')} entries, ${waypoints.toLocaleString('en')} waypoints, ${redacted.toLocaleString('en')} redacted`,
    `head ${head.id} ${head.hash}`,
  ]
  if (ok)
    return [
      'The log verifies: every entry has its place in the tree, and replaying them gives exactly what is stored',
      ...lines,
      notCoveredLine(notCovered),
    ]
  return ['The log does NOT verify', ...problems.map((problem) => `  ${inert(problem)}`), ...lines]
}

interface KnownHead {
  readonly id: number
  readonly hash: string
}

/** Parses a head as printed by log head. @throws CommandError usage */
export function knownOf(text: string): KnownHead {
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/u.exec(text.toLowerCase()) ?? []
  if (id === undefined || hash === undefined)
    throw usage('--known must be an id and a hash joined by a colon, as log head prints them')
  return { id: Number(id), hash }
}

/** @throws CommandError unverified unless the log begins with the entries of this head */
async function mustContinue(registry: Registry, { id, hash }: KnownHead): Promise<void> {
  const { changes } = registry
  const isLonger = id <= (await changes.head()).id
  if (!isLonger || (await changes.head(id)).hash !== hash)
    throw new CommandError(
      'unverified',
      `the log does not begin with the ${id} entries of this head: history was rewritten, or it is another registry’s`,
      'CHAIN_BROKEN',
      { id, hash },
    )
}

export const logVerify = command({
  name: 'log verify',
  summary:
    'Verifies the log: every entry, the tree over them, and that replaying them gives exactly what is stored.',
  more: 'Exits with 4 when it does not verify. --known takes a head that you kept, such as the one in an old export, and verifies that entries have only been added since. It says, too, when the database lost a trigger that guards it, and names each column and table that verifying does not cover.',
  options: {
    ...databaseOption,
    known: { type: 'text', value: 'ID:HASH', about: 'A head that the log must continue' },
  },
  examples: [
    { line: 'openfountain log verify', does: 'Verifies the whole log' },
    {
      line: 'openfountain log verify --known "$(openfountain log head)"',
      does: 'Also checks that the log continues a head that you know',
    },
  ],
  async run({ db, known }, _positionals, { out, env }) {
    const knownHead = known === undefined ? undefined : knownOf(known)
    return withRegistry({ db }, 'read', { out, env }, async (registry) => {
      if (knownHead !== undefined) await mustContinue(registry, knownHead)
      const bar = out.progress('Verifying')
      const verification = await registry.changes
        .verify({ onProgress: (done, total) => bar.at(done, total) })
        .finally(() => bar.end())
      out.result(verification, () => verificationLines(verification))
      return verification.ok ? 'done' : 'unverified'
    })
  },
})

export const logHead = command({
  name: 'log head',
  summary: 'Prints how far the log goes: the newest entry’s id, and the root of the tree over all entries.',
  more: 'Joined by a colon. Keep it to prove later that history was not rewritten: openfountain log verify --known ID:HASH.',
  options: databaseOption,
  examples: [{ line: 'openfountain log head >> heads.txt', does: 'Keeps the head of today' }],
  async run({ db }, _positionals, context) {
    await withRegistry({ db }, 'read', context, async (registry) => {
      const head = await registry.changes.head()
      context.out.result(head, () => [`${head.id}:${head.hash}`])
    })
  },
})
