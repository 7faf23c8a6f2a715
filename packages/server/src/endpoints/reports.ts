import { Report, ReportInput, ReportDecision } from '@openfountain/core'
import { z } from 'zod'
import { type Call, endpoint, type Endpoint, made, pathId, type Reply } from '../endpoint.ts'
import { moderating } from './moderation.ts'

const reported = (call: Pick<Call<unknown, unknown>, 'basePath'>, id: number): Reply =>
  made(call, `/api/reports/${id}`, { report: { id } })

export const reportEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'POST /api/reports',
    name: 'createReport',
    tag: moderating.tag,
    summary: 'Report a waypoint, a review, a photo or a user to the moderators',
    description:
      'Exactly one of `bubblerId`, `reviewId`, `photoId` and `userId`. Two open reports of a photo by different accounts that are older than a day hide it until a moderator decides. Where observations are open to all, also for whoever is not signed in, from pages of permitted origins. Reporting the same again, while it is open, gives the same report. Reports are not in the log, and only moderators see them.',
    who: 'reporter',
    body: { schema: ReportInput },
    success: {
      status: 201,
      description: 'The id of the report',
      body: z.object({ report: z.object({ id: z.int().positive() }) }),
      located: true,
    },
    errors: ['RATE_LIMITED'],
    run: async (call) => {
      const { registry, body, actor } = call
      // Anonymous callers of unknown network count as one.
      const caller = actor.kind === 'anonymous' ? { network: call.network() ?? '' } : {}
      return reported(call, await registry.reports.create(body as ReportInput, actor, caller))
    },
    repeated: async (call, { subject }) =>
      reported(call, await call.registry.reports.numberOf(String(subject))),
  }),
  endpoint({
    ...moderating,
    route: 'PATCH /api/reports/{id}',
    name: 'decideReport',
    summary: 'Close a report',
    description:
      '`done`, or `dismissed` when nothing was to be done. A report that was closed otherwise stays so, with a 409 that says how.',
    path: z.object({ id: pathId('report') }),
    body: { schema: ReportDecision },
    success: { description: 'The report', body: z.object({ report: Report }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async ({ registry, path, body, actor }) => ({
      report: await registry.reports.decide(path.id, body as ReportDecision, actor),
    }),
    repeated: async ({ registry, path, actor }) => ({ report: await registry.reports.get(path.id, actor) }),
  }),
  endpoint({
    ...moderating,
    route: 'POST /api/reports/{id}/reopen',
    name: 'reopenReport',
    summary: 'Open a report again that was closed',
    description: 'The note of whoever closed it is gone. One that is open stays so.',
    path: z.object({ id: pathId('report') }),
    success: { description: 'The report', body: z.object({ report: Report }) },
    errors: ['NOT_FOUND'],
    run: async ({ registry, path, actor }) => ({ report: await registry.reports.reopen(path.id, actor) }),
    repeated: async ({ registry, path, actor }) => ({ report: await registry.reports.get(path.id, actor) }),
  }),
]
