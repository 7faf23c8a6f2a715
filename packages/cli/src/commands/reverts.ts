import { token, type Registry } from '@openfountain/core'
import { apiUserId, observerUserId, type Reverted, type UndoneAct } from '@openfountain/core/internal'
import { command, type Context } from '../command.ts'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { instantOf } from '../instant.ts'
import { powerOptions, regionsOption, withRegistry, writingOptions } from '../settings.ts'
import { asked } from '../question.ts'
import { entriesText } from '../wording/entries.ts'
import { numberOf } from './sessions.ts'

export const reasonOption = {
  reason: { type: 'text', value: 'TEXT', required: true, about: 'Why; it is public' },
} as const

const dryRunOption = {
  'dry-run': { type: 'flag', about: 'Reports what would be undone, and writes nothing' },
} as const

/** The command that undoes an entry, under one of its names. */
const revertEntry = (name: 'log revert' | 'moderate revert') =>
  command({
    name,
    summary: 'Undoes what an entry did to a waypoint or a review, by new entries.',
    more: 'Reverting a deletion restores. XP that was earned is taken back. Refused with exit code 5 when somebody changed the same fields since.',
    positionals: [{ name: 'ID', about: 'The entry' }],
    options: { ...writingOptions, ...regionsOption, ...reasonOption },
    examples: [{ line: `openfountain ${name} 12 --reason "Vandalism"`, does: 'Undoes entry 12' }],
    async run({ reason, ...options }, [id = ''], context) {
      const number = numberOf(id)
      await withRegistry(options, 'change', context, async (registry) => {
        const entries = await registry.changes.revert(number, { reason }, token())
        context.out.result({ reverted: number, entries }, () => [
          `Entry ${number} is undone by ${entriesText(entries)}`,
        ])
      })
    },
  })

export const logRevert = revertEntry('log revert')
export const moderateRevert = revertEntry('moderate revert')

/** Undoes a user's changes, page by page. */
async function revertAll(
  registry: Registry,
  id: string,
  options: {
    readonly since: string
    readonly reason: string
    readonly dryRun: boolean
    readonly evenBuiltIn: boolean
  },
): Promise<Required<Pick<Reverted, 'reverted' | 'conflicts'>>> {
  const reverted: number[] = []
  const conflicts: Reverted['conflicts'][number][] = []
  for (let before: number | undefined; ;) {
    const page = await registry.users.revert(id, { ...options, before }, token())
    reverted.push(...page.reverted)
    conflicts.push(...page.conflicts)
    if (page.next === undefined) return { reverted, conflicts }
    before = page.next
  }
}

function conflictLine({ entry, fields }: Reverted['conflicts'][number]): string {
  const why = fields.length === 0 ? 'it cannot be undone' : `changed since: ${fields.map(inert).join(', ')}`
  return `Entry ${entry} stays: ${why}`
}

const builtIn: ReadonlySet<string> = new Set([apiUserId, observerUserId])

/** @throws CommandError usage unless the revert of a built-in user is confirmed */
async function mustBeConfirmed(id: string, confirm: string | undefined, { out }: Context): Promise<void> {
  const what = `Nothing was undone: ${id} stands for ${id === apiUserId ? 'imports and programs' : 'all who observed something'}`
  if (confirm === undefined && (!process.stdin.isTTY || out.json))
    throw usage(`${what}; if all of that is to be undone, give --confirm ${id}`)
  if ((confirm ?? (await asked(`Undo everything since then that ${id} did? Type ${id}: `))) !== id)
    throw usage(what)
}

const undoneLine = (changes: number, dryRun: boolean): string =>
  dryRun
    ? `Dry run: nothing was written. Changes that would be undone: ${changes}`
    : `Changes that are undone: ${changes}`

/** The command that undoes a user's changes, under one of its names. */
const revertUser = (name: 'user revert' | 'moderate revert-user') =>
  command({
    name,
    summary: 'Undoes what a user changed of waypoints and reviews since a time, the newest first.',
    more: 'What others changed since stays, and is listed. XP that the changes earned is taken back. The user can still write: user block ends that. Run it with --dry-run first. moderate undo takes it back. Of api, which stands for imports and programs, and of observer it is only done once the id was typed, or given with --confirm.',
    positionals: [{ name: 'ID', about: 'The user’s id' }],
    options: {
      ...powerOptions,
      ...regionsOption,
      since: {
        type: 'text',
        value: 'TIME',
        required: true,
        about:
          'Only what was done then or later: a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z',
      },
      ...reasonOption,
      confirm: { type: 'text', value: 'ID', about: 'The id again, where it is that of a built-in user' },
      ...dryRunOption,
    },
    examples: [
      {
        line: `openfountain ${name} eve --since 2026-01-31 --reason "Vandalism" --dry-run`,
        does: 'Shows what would be undone',
      },
      {
        line: `openfountain ${name} eve --since 2026-01-31 --reason "Vandalism"`,
        does: 'Undoes it',
      },
    ],
    async run({ since, reason, confirm, 'dry-run': dryRun, ...options }, [id = ''], context) {
      const from = instantOf('--since', since)
      const evenBuiltIn = builtIn.has(id)
      if (evenBuiltIn && !dryRun) await mustBeConfirmed(id, confirm, context)
      await withRegistry(options, dryRun ? 'read' : 'change', context, async (registry) => {
        const { reverted, conflicts } = await revertAll(registry, id, {
          since: from,
          reason,
          dryRun,
          evenBuiltIn,
        })
        context.out.result({ reverted, conflicts, dryRun }, () => [
          undoneLine(reverted.length, dryRun),
          ...conflicts.map(conflictLine),
        ])
      })
    },
  })

export const userRevert = revertUser('user revert')
export const moderateRevertUser = revertUser('moderate revert-user')

export const moderateUndo = command({
  name: 'moderate undo',
  summary: 'Undoes what an act of moderation did, as one act.',
  more: 'What a revert took back stands again, with the XP; what was deleted or merged is back. What was changed since stays, and is listed. moderate acts lists them; undoing a person’s changes is an act for each 500 of them. Redactions are not undone.',
  positionals: [{ name: 'ACT', about: 'The id of the act, which is that of its first entry' }],
  options: { ...powerOptions, ...regionsOption, ...reasonOption, ...dryRunOption },
  examples: [
    {
      line: 'openfountain moderate undo 120 --reason "It was right" --dry-run',
      does: 'Shows what would be undone',
    },
    { line: 'openfountain moderate undo 120 --reason "It was right"', does: 'Undoes act 120' },
  ],
  async run({ reason, 'dry-run': dryRun, ...options }, [act = ''], context) {
    const id = numberOf(act)
    await withRegistry(options, dryRun ? 'read' : 'change', context, async (registry) => {
      const undone: number[] = []
      const conflicts: UndoneAct['conflicts'][number][] = []
      for (let before: number | undefined, isWhole = false; !isWhole;) {
        const page = await registry.moderation.undo(id, { reason, dryRun, before }, token())
        undone.push(...page.undone)
        conflicts.push(...page.conflicts)
        before = page.next
        isWhole = before === undefined
      }
      context.out.result({ undone, conflicts, dryRun }, () => [
        undoneLine(undone.length, dryRun),
        ...conflicts.map(conflictLine),
      ])
    })
  },
})
