import { token, type Registry } from '@openfountain/core'
import type { Reverted } from '@openfountain/core/internal'
import { command } from '../command.ts'
import { inert } from '../inert.ts'
import { instantOf } from '../instant.ts'
import { powerOptions, regionsOption, withRegistry, writingOptions } from '../settings.ts'
import { entriesText } from '../wording/entries.ts'
import { numberOf } from './sessions.ts'

export const reasonOption = {
  reason: { type: 'text', value: 'TEXT', required: true, about: 'Why; it is public' },
} as const

/** Undoing an entry, under one of its names. */
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

/** Undoes everything, page by page. */
async function revertAll(
  registry: Registry,
  id: string,
  options: { readonly since: string; readonly reason: string; readonly dryRun: boolean },
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

function conflictLine({ id, fields }: Reverted['conflicts'][number]): string {
  const why = fields.length === 0 ? 'it cannot be undone' : `changed since: ${fields.map(inert).join(', ')}`
  return `Entry ${id} stays: ${why}`
}

/** Undoing what a user changed, under one of its names. */
const revertUser = (name: 'user revert' | 'moderate revert-user') =>
  command({
    name,
    summary: 'Undoes what a user changed of waypoints and reviews since a time, the newest first.',
    more: 'What others changed since stays, and is listed. XP that the changes earned is taken back. The user can still write: user block ends that. Run it with --dry-run first.',
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
      'dry-run': { type: 'flag', about: 'Reports what would be undone, and writes nothing' },
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
    async run({ since, reason, 'dry-run': dryRun, ...options }, [id = ''], context) {
      const from = instantOf('--since', since)
      await withRegistry(options, dryRun ? 'read' : 'change', context, async (registry) => {
        const { reverted, conflicts } = await revertAll(registry, id, { since: from, reason, dryRun })
        context.out.result({ reverted, conflicts, dryRun }, () => [
          dryRun
            ? `Dry run: nothing was written. Changes that would be undone: ${reverted.length}`
            : `Changes that are undone: ${reverted.length}`,
          ...conflicts.map(conflictLine),
        ])
      })
    },
  })

export const userRevert = revertUser('user revert')
export const moderateRevertUser = revertUser('moderate revert-user')
