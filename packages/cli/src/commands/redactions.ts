import type { Erasure } from '@openfountain/core'
import { isOnServer } from '@openfountain/core/internal'
import { command } from '../command.ts'
import { inert } from '../inert.ts'
import { databaseOption, powerOptions, withRegistry } from '../settings.ts'
import { entriesText } from '../wording/entries.ts'
import { numberOf } from './sessions.ts'

/** Lines about places that keep a text temporarily. */
export const leftoverLines = (leftovers: NonNullable<Erasure['leftovers']>): string[] =>
  leftovers.map(({ place, remedy }) => `For a while it is still in ${inert(place)}: ${remedy}`)

export const logRedact = command({
  name: 'log redact',
  summary:
    'Permanently removes text from an entry and its copies, as a law may require; the log still verifies.',
  more: 'The log keeps showing that text was redacted, and why. Text that is still in force is cleared, too. When something still holds the text, such as a program that is reading the database, the command says what, and exits with 17: end it, and run log scrub. Backups and exports that were made before keep the text.',
  positionals: [{ name: 'ID', about: 'The entry' }],
  options: {
    ...powerOptions,
    reason: { type: 'text', value: 'TEXT', required: true, about: 'Why; it is public' },
    fields: { type: 'list', value: 'NAME', about: 'Only these fields of the entry; default all its text' },
  },
  examples: [
    {
      line: 'openfountain log redact 1 --fields description --reason "A private telephone number"',
      does: 'Removes the description from the first entry',
    },
  ],
  async run({ reason, fields, ...options }, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'change', context, async (registry) => {
      const erasure = await registry.changes.redact(number, {
        reason,
        ...(fields.length > 0 && { fields }),
      })
      const { entries, leftovers = [] } = erasure
      context.out.result({ ...erasure }, () => [
        `Text is removed from ${entriesText(entries)}: ${inert(reason)}`,
        ...leftoverLines(leftovers),
      ])
    })
  },
})

export const logScrub = command({
  name: 'log scrub',
  summary: 'Removes every trace of redacted text from the database.',
  more: 'log redact does this by itself; run it again after it exited with 17, when what held the text has ended. On a server it says where the text still is for a while.',
  options: databaseOption,
  examples: [{ line: 'openfountain log scrub', does: 'Finishes what log redact could not' }],
  async run(options, _positionals, context) {
    await withRegistry(options, 'change', context, async (registry) => {
      const leftovers = await registry.changes.scrub()
      context.out.result({ scrubbed: true, ...(leftovers.length > 0 && { leftovers }) }, () =>
        isOnServer(options.db)
          ? [
              `No redacted text is left in the tables of ${inert(registry.database)}`,
              ...leftoverLines(leftovers),
            ]
          : [`No redacted text is left in ${inert(options.db)} and the files beside it`],
      )
    })
  },
})
