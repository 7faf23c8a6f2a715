import { version } from '@openfountain/core/version'
import { agesOfCopies } from '../copies.ts'
import { endpoint, type Endpoint, Page } from '../endpoint.ts'
import { inert, noCache } from '../http/headers.ts'
import { type Gauge, metricsType } from '../metrics.ts'
import { notFound } from '../problem.ts'
import type { EndpointContext } from './context.ts'

/** Gauges, beside the counters. */
async function gauges({ registry, options }: EndpointContext): Promise<Gauge[]> {
  const { backupAgeSeconds, publicationAgeSeconds } = await agesOfCopies(options)
  // No value before the first backup or publication: alert rules test for its absence.
  const ages = [
    { name: 'openfountain_backup_age_seconds', help: 'Since the newest backup', value: backupAgeSeconds },
    {
      name: 'openfountain_publication_age_seconds',
      help: 'Since exports or site were written',
      value: publicationAgeSeconds,
    },
  ].flatMap(({ value, ...gauge }) => (typeof value === 'number' ? [{ ...gauge, value }] : []))
  return [
    {
      name: 'openfountain_info',
      labels: `version="${version}"`,
      help: 'The version of the software',
      value: 1,
    },
    {
      name: 'openfountain_log_entries',
      help: 'Entries of the log',
      value: (await registry.head()).id,
    },
    ...ages,
  ]
}

export function metricsEndpoint(context: EndpointContext): Endpoint {
  const { metrics, options } = context
  return endpoint({
    route: 'GET /api/metrics',
    name: 'getMetrics',
    tag: 'Service',
    summary: 'What a monitoring system reads, in the text format of Prometheus',
    description:
      'Requests by declared route and class of the status, how long they took, queues, entries of the log, ages of the newest backup and of what is published. 404 unless the server offers it to the caller.',
    who: 'anyone',
    freshness: 'never',
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
