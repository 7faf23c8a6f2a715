import { RegistryError } from '@openfountain/core'
import { parse } from '@openfountain/core/internal'
import { z } from 'zod'
import { endpoint, type Endpoint, Reply } from '../endpoint.ts'
import { TextStream } from '../http/text-stream.ts'
import { mustBeSignedIn, type SignIns } from '../sign-ins.ts'
import { accountTag } from './devices.ts'

const Leaving = z
  .object({
    confirm: z.string().meta({ description: 'Your own name as it stands, as a safeguard' }),
    texts: z.enum(['keep', 'erase']).meta({
      description:
        'Whether what you wrote and your photos stay, or are removed from the log too; names of fountains stay in any case',
    }),
    credit: z
      .boolean()
      .optional()
      .meta({ description: 'Whether your name stays under photos that stay; false when not given' }),
  })
  .meta({ id: 'Leaving' })

/** Export of one's own data, and leaving. */
export const leavingEndpoints = (signIns: SignIns): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/user/export',
    name: 'exportOwnData',
    tag: accountTag,
    summary: 'Everything that the registry holds about you',
    who: 'owner',
    isRecent: true,
    success: {
      description: 'One JSON document, as an attachment',
      media: {
        'application/json': 'Your profile, ways to sign in, sessions, tokens, reviews and log entries',
      },
    },
    run: (call) => {
      const { userId } = mustBeSignedIn(call)
      return new Reply(new TextStream(call.registry.accounts.export(userId)), [
        ['content-disposition', 'attachment; filename="my-data.json"'],
      ])
    },
  }),
  endpoint({
    route: 'DELETE /api/user',
    name: 'leave',
    tag: accountTag,
    summary: 'Leave, and have your personal data removed',
    description:
      'Name, address, ways to sign in, sessions and tokens are gone at once. What you contributed stays under an id that says nothing of you.',
    who: 'owner',
    isRecent: true,
    body: { schema: Leaving },
    success: { status: 204, description: 'You have left, and the cookie `session` is cleared' },
    run: async (call) => {
      const { userId } = mustBeSignedIn(call)
      const { confirm, texts, credit } = parse(Leaving, call.body)
      try {
        await call.registry.accounts.leave(userId, { confirm, texts, credit })
      } catch (error) {
        // The account is gone; only the operator can end what still holds old pages of the file, such as a long read.
        if (!(error instanceof RegistryError) || error.code !== 'STORAGE_NOT_ERASED') throw error
        call.report(error)
      }
      return new Reply(undefined, [signIns.farewell(call.request)])
    },
    repeated: 'ignored',
  }),
]
