import { token } from '@openfountain/core'
import { command } from '../command.ts'
import { inert } from '../inert.ts'
import { instantOf } from '../instant.ts'
import { powerOptions, withRegistry } from '../settings.ts'

const userPositional = { name: 'ID', about: 'The user’s id' } as const

export const userBlock = command({
  name: 'user block',
  summary: 'Keeps a user from writing, until a time or without an end.',
  more: 'The user can still read, and is told the reason. Moderators cannot be blocked. Their sessions and personal tokens write no more; API tokens that an operator gave them do until token revoke, and are named. user revert undoes what was written before.',
  positionals: [userPositional],
  options: {
    ...powerOptions,
    reason: { type: 'text', value: 'TEXT', required: true, about: 'Why; it is public' },
    until: {
      type: 'text',
      value: 'TIME',
      about: 'The end, a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z; default none',
    },
  },
  examples: [
    {
      line: 'openfountain user block eve --reason "Vandalism" --until 2027-01-01',
      does: 'Blocks Eve until the new year',
    },
  ],
  async run({ reason, until, ...options }, [id = ''], context) {
    const end = until === undefined ? undefined : instantOf('--until', until)
    await withRegistry(options, 'change', context, async (registry) => {
      await registry.users.block(id, { reason, ...(end !== undefined && { until: end }) }, token())
      context.out.result({ blocked: id, reason, ...(end !== undefined && { until: end }) }, () => [
        `${inert(id)} is blocked${end === undefined ? '' : ` until ${end}`}: ${inert(reason)}`,
      ])
      const tokens = (await registry.tokens.list()).filter(
        ({ ownerId, revokedAt }) => ownerId === id && revokedAt === undefined,
      )
      if (tokens.length > 0)
        context.out.note(
          `API tokens whose writes are theirs still write; end them with: ${tokens.map((each) => `openfountain token revoke ${each.id}`).join(', ')}`,
        )
    })
  },
})

export const userUnblock = command({
  name: 'user unblock',
  summary: 'Lets a blocked user write again.',
  positionals: [userPositional],
  options: powerOptions,
  examples: [{ line: 'openfountain user unblock eve', does: 'Ends the block of Eve' }],
  async run(options, [id = ''], context) {
    await withRegistry(options, 'change', context, async (registry) => {
      await registry.users.unblock(id, token())
      context.out.result({ unblocked: id }, () => [`${inert(id)} is not blocked`])
    })
  },
})
