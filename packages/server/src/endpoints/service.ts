import type { DeliveryState } from '@openfountain/core/internal'
import { build, version } from '@openfountain/core/version'
import { z } from 'zod'
import { agesOfCopies } from '../copies.ts'
import { documentPage, referenceFile, referencePage } from '../docs-page.ts'
import { endpoint, type Endpoint, Page } from '../endpoint.ts'
import { type About, describe } from '../openapi.ts'
import { notFound } from '../problem.ts'
import type { EndpointContext } from '../options.ts'
import { Source, Statistics } from '@openfountain/core'
import { inert, noCache } from '../http/headers.ts'
import { type Gauge, metricsType } from '../metrics.ts'

const tag = 'Service'
const read = { tag, who: 'anyone', freshness: 'never' } as const

const software = {
  version: z.string().meta({ description: 'Of the software' }),
  build: z
    .int()
    .min(0)
    .meta({ description: 'The number of its build; 0 where it has none, as in a checkout' }),
}

const ServiceInformation = z
  .object({
    name: z.string(),
    ...software,
    apiVersion: z.literal('6'),
    author: z.string(),
    documentation: z.object({ openapi: z.string(), reference: z.string() }),
  })
  .meta({ id: 'ServiceInformation' })

const age = z.int().min(0).nullable().optional()

const Health = z
  .object({
    status: z.literal('ok'),
    ...software,
    revision: z.int().min(0),
    backupAgeSeconds: age.meta({
      description:
        'Since the newest backup; null without one, absent where the server was not told of their folder',
    }),
    publicationAgeSeconds: age.meta({
      description: 'Since exports or site were written; null for never, absent where the server has neither',
    }),
    webhooks: z
      .object({
        failing: z.int().meta({ description: 'How many did not answer, and are tried again' }),
        off: z.int().meta({ description: 'How many are switched off' }),
        isPaused: z.boolean().meta({ description: 'Whether nothing is sent until the operator resumes it' }),
      })
      .optional()
      .meta({ description: 'Absent where there are none' }),
  })
  .meta({ id: 'Health' })

const webhooksOf = ({ webhooks, isPaused }: DeliveryState) =>
  webhooks.length > 0 && {
    webhooks: {
      failing: webhooks.filter(({ attempts, disabledAt }) => attempts > 0 && disabledAt === undefined).length,
      off: webhooks.filter(({ disabledAt }) => disabledAt !== undefined).length,
      isPaused,
    },
  }

export function serviceEndpoints(context: EndpointContext): readonly Endpoint[] {
  const { registry, options } = context
  const { basePath = '' } = options
  return [
    endpoint({
      route: 'GET /api',
      name: 'getService',
      tag,
      summary: 'What this service is',
      who: 'anyone',
      success: {
        description: 'Name, versions, licence and documentation',
        body: ServiceInformation,
      },
      run: () => ({
        name: registry.name,
        version,
        build,
        apiVersion: '6',
        author: registry.author,
        documentation: { openapi: `${basePath}/api/openapi`, reference: `${basePath}/api/docs` },
      }),
    }),
    endpoint({
      ...read,
      route: 'GET /api/health',
      name: 'getHealth',
      summary: 'Whether the service is healthy, for a supervisor',
      description:
        'Reads the database, and looks how old the newest backup and what is published are. Never rate-limited, never cached.',
      limited: false,
      success: { description: 'It is', body: Health },
      run: async () => ({
        status: 'ok',
        version,
        build,
        revision: await registry.revision(),
        ...(await agesOfCopies(options)),
        ...webhooksOf(await registry.webhooks.state()),
      }),
    }),
    metricsEndpoint(context),
  ]
}

export function aboutOf({ registry, options }: EndpointContext): About {
  const { name, license, author, properties } = registry
  const { rateLimit, basePath = '' } = options
  return { name, license, author, version, rateLimited: rateLimit !== undefined, properties, basePath }
}

/** The OpenAPI document and its page: not data, so without a licence. */
export function documentEndpoints(data: readonly Endpoint[], context: EndpointContext): readonly Endpoint[] {
  const about = aboutOf(context)
  let text: string | undefined
  const document = endpoint({
    ...read,
    route: 'GET /api/openapi',
    name: 'getOpenapi',
    summary: 'This description, as OpenAPI 3.1',
    success: {
      description: 'The document',
      media: { 'application/json': 'OpenAPI 3.1' },
      tagged: true,
    },
    run: () => documentPage((text ??= JSON.stringify(describe(documented, about)))),
  })
  const reference = endpoint({
    ...read,
    route: 'GET /api/docs',
    name: 'getDocs',
    summary: 'This description, to read and try out',
    success: {
      description: 'The page',
      media: { 'text/html': 'An interactive reference' },
      tagged: true,
    },
    run: referencePage,
  })
  const asset = endpoint({
    ...read,
    route: 'GET /api/docs/{file}',
    name: 'getDocsFile',
    summary: 'A script or style of the reference',
    documented: false,
    path: z.object({ file: z.string() }),
    success: { description: 'The file', tagged: true },
    errors: ['NOT_FOUND'],
    run: async (call) => {
      const file = await referenceFile(call.path.file, call)
      if (file === undefined) throw notFound('File')
      return file
    },
  })
  const documented: readonly Endpoint[] = [...data, document, reference]
  return [document, reference, asset]
}

export const sourceEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /api/sources',
    name: 'listSources',
    tag: 'Sources',
    summary: 'Where imported data came from, and under which licence',
    who: 'anyone',
    success: {
      description: 'All sources, by id',
      body: z.object({ sources: z.array(Source) }),
    },
    run: async ({ registry }) => ({ sources: await registry.sources.list() }),
  }),
]

export const statisticsEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /api/stats',
    name: 'getStats',
    tag: 'Statistics',
    summary: 'How much there is',
    who: 'anyone',
    success: { description: 'Counters, computed live', body: Statistics },
    run: ({ registry }) => registry.statistics(),
  }),
]

async function gauges({ registry, options }: EndpointContext): Promise<readonly Gauge[]> {
  const { backupAgeSeconds: backup, publicationAgeSeconds: publication } = await agesOfCopies(options)
  const of = (name: string, help: string, value: number | null | undefined): readonly Gauge[] =>
    // No value before the first backup or publication: alert rules test for its absence.
    typeof value === 'number' ? [[name, help, value]] : []
  return [
    ['openfountain_info', 'The version of the software', 1, `version="${version}"`],
    ['openfountain_log_entries', 'Entries of the log', (await registry.head()).id],
    ...of('openfountain_backup_age_seconds', 'Since the newest backup', backup),
    ...of('openfountain_publication_age_seconds', 'Since exports or site were written', publication),
  ]
}

function metricsEndpoint(context: EndpointContext): Endpoint {
  const { metrics, options } = context
  return endpoint({
    ...read,
    route: 'GET /api/metrics',
    name: 'getMetrics',
    summary: 'What a monitoring system reads, in the text format of Prometheus',
    description:
      'Requests by declared route and class of the status, how long they took, queues, entries of the log, ages of the newest backup and of what is published. 404 unless the server offers it to the caller.',
    isForPages: false,
    success: {
      description: 'Counters, histograms and gauges',
      media: { 'text/plain': 'The text format of Prometheus, version 0.0.4' },
    },
    errors: ['NOT_FOUND'],
    run: async (call) => {
      const mayRead = options.metrics === 'everyone' || call.isFromThisMachine()
      if (metrics === undefined || !mayRead) throw notFound('Metrics')
      return new Page(metrics.text(await gauges(context)), metricsType, [...inert, noCache])
    },
  })
}
