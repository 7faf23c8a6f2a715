import type { DeliveryState } from '@openfountain/core/internal'
import { build, version } from '@openfountain/core/version'
import { z } from 'zod'
import { agesOfCopies } from '../copies.ts'
import { documentPage, referenceFile, referencePage } from '../docs-page.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { type About, describe } from '../openapi.ts'
import { notFound } from '../problem.ts'
import type { EndpointContext } from './context.ts'
import { metricsEndpoint } from './metrics.ts'

const tag = 'Service'

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

/** How webhooks are, where there are any. */
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
      route: 'GET /api/health',
      name: 'getHealth',
      tag,
      summary: 'Whether the service is healthy, for a supervisor',
      description:
        'Reads the database, and looks how old the newest backup and what is published are. Never rate-limited, never cached.',
      who: 'anyone',
      freshness: 'never',
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

/** What documents say of the service. */
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
    route: 'GET /api/openapi',
    name: 'getOpenapi',
    tag,
    summary: 'This description, as OpenAPI 3.1',
    who: 'anyone',
    freshness: 'never',
    success: {
      description: 'The document',
      media: { 'application/json': 'OpenAPI 3.1' },
      tagged: true,
    },
    run: () => documentPage((text ??= JSON.stringify(describe(documented, about)))),
  })
  const reference = endpoint({
    route: 'GET /api/docs',
    name: 'getDocs',
    tag,
    summary: 'This description, to read and try out',
    who: 'anyone',
    freshness: 'never',
    success: {
      description: 'The page',
      media: { 'text/html': 'An interactive reference' },
      tagged: true,
    },
    run: referencePage,
  })
  const asset = endpoint({
    route: 'GET /api/docs/{file}',
    name: 'getDocsFile',
    tag,
    summary: 'A script or style of the reference',
    who: 'anyone',
    freshness: 'never',
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
