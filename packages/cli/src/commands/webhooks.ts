import { type Registry, token } from '@openfountain/core'
import { type StoredWebhook, type WebhookInput, messageId, waypointEvents } from '@openfountain/core/internal'
import { deliver } from '@openfountain/telling'
import { CommandError, usage } from '../failure.ts'
import { flag, list, text } from '../options.ts'
import { row } from '../row.ts'
import { databaseOption, writingOptions } from '../settings.ts'
import { listLines, type Columns } from '../table.ts'
import { deliveryOptions, operatorWebhook, senderOf } from '../webhook-settings.ts'

const state = ({ disabledAt, attempts }: StoredWebhook): string =>
  disabledAt !== undefined ? `off since ${disabledAt}` : attempts > 0 ? 'failing' : 'on'

const columns: Columns<StoredWebhook> = {
  ID: 'id',
  URL: 'url',
  EVENTS: ({ events }) => events?.join(', ') ?? 'all',
  WHAT: ({ what }) => (Object.keys(what).length === 0 ? 'everything' : JSON.stringify(what)),
  STATE: state,
  DESCRIPTION: 'description',
}

const deliveryColumns: Columns<StoredWebhook> = {
  ID: 'id',
  STATE: state,
  PLACE: 'place',
  TRIES: 'attempts',
  NEXT: 'nextAt',
  STATUS: 'lastStatus',
  ERROR: 'lastError',
  KEPT: ({ kept }) => String(kept.length),
}

const settings = { ...writingOptions, ...deliveryOptions }
const id = { id: { about: 'Its id, as webhook list shows it' } }
const paused =
  'Nothing is sent: the database was restored or copied. openfountain deliveries resume sends what happens from now on'

/** Members of `what` from words such as `country=CH`. @throws CommandError usage */
function whatOf(words: readonly string[]): WebhookInput['what'] {
  const members = words.map((word) => {
    const [, name, value = ''] = /^(\w+)=(.+)$/su.exec(word) ?? []
    if (name === undefined) throw usage(`--what ${word}: give NAME=VALUE, such as country=CH`)
    try {
      return [name, /^[[{\d]/u.test(value) ? (JSON.parse(value) as unknown) : value] as const
    } catch {
      return [name, value] as const
    }
  })
  return members.length === 0 ? undefined : (Object.fromEntries(members) as WebhookInput['what'])
}

/** One that is signed. @throws CommandError notFound, usage for a city's endpoint */
async function signed(registry: Registry, wanted: string): Promise<StoredWebhook> {
  const found = await known(registry, wanted)
  if ((await registry.webhooks.city(wanted)) === undefined) return found
  throw usage(`${wanted} is an endpoint of Open311, where nothing is signed: add it anew with another key`)
}

/** @throws CommandError notFound */
async function known(registry: Registry, wanted: string): Promise<StoredWebhook> {
  const found = (await registry.webhooks.state()).webhooks.find((each) => each.id === wanted)
  if (found === undefined)
    throw new CommandError(
      'notFound',
      `There is no webhook ${wanted}: openfountain webhook list`,
      'NOT_FOUND',
    )
  return found
}

const once = () => 'Its secret, shown only this once'

export const commands = [
  row('webhook add', {
    summary: 'Has a program told what happens from now on, and prints the secret that signs it.',
    more: 'Deliveries follow Standard Webhooks: a server (openfountain serve) sends each event until the program answers with 2xx, in the order of the log. The secret is shown once.',
    places: { url: { about: 'The https: address that takes them' } },
    options: {
      ...settings,
      event: list('NAME', `Only such events: ${waypointEvents.join(', ')}; default all`),
      what: list(
        'NAME=VALUE',
        'Only of such fountains: country, subdivision, region, source, maintainer, bubblerId, bbox or near, as GET /api/feeds/changes.json has them',
      ),
      description: text('TEXT', 'What it is for'),
      open311: text(
        'CODE',
        'The address is a city’s endpoint of Open311 GeoReport v2: faults become service requests of this service_code',
      ),
      jurisdiction: text('ID', 'The jurisdiction_id there'),
      'closed-means-works': flag('A request that the city closes says that the fountain works'),
    },
    examples: {
      'webhook add https://city.example/hooks': 'Tells it everything',
      'webhook add https://city.example/hooks --event broken --event works --what maintainer=Stadt':
        'Tells a city what breaks and works again',
      'webhook add https://city.example/open311/v2 --open311 123 --what maintainer=Stadt':
        'Has faults become service requests of a city; its key is read from OPENFOUNTAIN_OPEN311_KEY',
    },
    access: 'create',
    async call(registry, { url, event, what, description, open311, jurisdiction, ...given }, { env }) {
      const sender = senderOf(given, env)
      sender.check(url)
      sender.secretOf({ id: '', generation: 1 })
      const apiKey = env['OPENFOUNTAIN_OPEN311_KEY']
      const city =
        open311 === undefined
          ? undefined
          : {
              service: open311,
              jurisdiction,
              apiKey: apiKey && sender.seal(url, apiKey),
              closedMeansWorks: given['closed-means-works'],
            }
      const asked = city === undefined || event.length > 0 ? event : ['broken', 'gone']
      const events = asked.length === 0 ? undefined : (asked as WebhookInput['events'])
      const webhook = await registry.webhooks.create(
        { url, events, what: whatOf(what), description },
        token(),
        city,
      )
      return { id: webhook.id, ...(city === undefined && { secret: sender.secretOf(webhook) }) }
    },
    text: ({ id: made, secret }) => secret ?? made,
    note: ({ secret }) => (secret === undefined ? 'Its faults become service requests' : once()),
  }),
  row('webhook list', {
    summary: 'Lists the programs that are told what happens.',
    options: databaseOption,
    examples: { 'webhook list': 'Shows addresses and what each is told' },
    call: (registry) => registry.webhooks.state(),
    text: ({ webhooks }) => listLines(webhooks, columns, 'No webhooks'),
    note: ({ isPaused }) => (isPaused ? paused : undefined),
  }),
  row('webhook test', {
    summary: 'Sends a signed message of the type test to a webhook, once, and says what it answers.',
    places: id,
    options: settings,
    examples: { 'webhook test 5c1f…': 'Says whether the program takes it' },
    async call(registry, { id: wanted, ...given }, { env }) {
      const webhook = await signed(registry, wanted)
      const sender = senderOf(given, env)
      sender.check(webhook.url)
      const at = await registry.time()
      const body = JSON.stringify({ type: 'test', timestamp: at, data: {} })
      return sender.send(webhook, { id: messageId(at, 0), body }, at)
    },
    text: ({ status, error }) => error ?? `It answers ${status}`,
    exit: ({ error }) => (error === undefined ? 'done' : 'unreachable'),
  }),
  row('webhook secret', {
    summary: 'Prints the secret that signs what the program of the operator is told (doctor --tell).',
    options: settings,
    examples: { 'webhook secret': 'Prints it: it follows from the key of the registry' },
    access: 'read',
    call: async (_registry, given, { env }) => ({ secret: senderOf(given, env).secretOf(operatorWebhook) }),
    text: ({ secret }) => secret,
  }),
  row('webhook deliveries', {
    summary: 'Shows how far each webhook was told, what failed and when it is tried again.',
    options: databaseOption,
    examples: { 'webhook deliveries': 'Shows the place in the log of each' },
    call: (registry) => registry.webhooks.state(),
    text: ({ webhooks }) => listLines(webhooks, deliveryColumns, 'No webhooks'),
    note: ({ isPaused, newest }) => (isPaused ? paused : `The log ends at entry ${newest}`),
  }),
  row('webhook resend', {
    summary: 'Switches a webhook on again, and sends the events that it refused with 400, 404 or 422.',
    places: id,
    options: settings,
    examples: { 'webhook resend 5c1f…': 'Sends what was kept, each with the id that it had' },
    access: 'change',
    async call(registry, { id: wanted, ...given }, { env }) {
      const webhook = await known(registry, wanted)
      if (webhook.disabledAt !== undefined) await registry.webhooks.update(wanted, { active: true }, token())
      const sender = senderOf(given, env)
      const events = await registry.webhooks.keptFor(webhook)
      const { origin } = await registry.webhooks.state()
      let sent = 0
      for (const event of events) {
        const { error, request } = await deliver(registry, sender, webhook, origin, event)
        if (error !== undefined) return { sent, left: events.length - sent, error }
        await registry.webhooks.sent(wanted, event.id, request)
        sent++
      }
      return { sent, left: 0 }
    },
    text: ({ sent, left, error }) => `${sent} sent, ${left} left${error === undefined ? '' : `: ${error}`}`,
    exit: ({ left }) => (left === 0 ? 'done' : 'unreachable'),
  }),
  row('webhook rotate', {
    summary: 'Gives a webhook another secret and prints it; the one before signs too for a day.',
    places: id,
    options: settings,
    examples: { 'webhook rotate 5c1f…': 'Prints the new secret and nothing else' },
    access: 'change',
    async call(registry, { id: wanted, ...given }, { env }) {
      const sender = senderOf(given, env)
      sender.secretOf({ id: '', generation: 1 })
      await signed(registry, wanted)
      const webhook = await registry.webhooks.rotate(wanted, token())
      return { id: wanted, secret: sender.secretOf(webhook) }
    },
    text: ({ secret }) => secret,
    note: once,
  }),
  row('webhook remove', {
    summary: 'Tells a program nothing any more.',
    places: id,
    options: writingOptions,
    examples: { 'webhook remove 5c1f…': 'Removes it and what was kept for it' },
    access: 'change',
    call: async (registry, { id }) => registry.webhooks.delete((await known(registry, id)).id, token()),
    json: (_result, { id: wanted }) => ({ removed: wanted }),
    text: (_result, { id: wanted }) => `Webhook ${wanted} is removed`,
  }),
  row('deliveries resume', {
    summary: 'Sends events again after a restore or a copy, in which nothing is sent by itself.',
    more: 'A restored or copied database may be a second one beside another that still sends, and may have forgotten what was sent. This one sends then.',
    options: {
      ...writingOptions,
      from: text(
        'WHERE',
        'now: what happens from now on; place: what follows the place of each webhook, some of it perhaps again',
        {
          choices: ['now', 'place'],
          default: 'now',
        },
      ),
    },
    examples: {
      'deliveries resume': 'Sends what happens from now on',
      'deliveries resume --from place': 'Sends also what was not sent yet',
    },
    access: 'change',
    call: (registry, { from }) => registry.webhooks.resume(from),
    text: ({ webhooks }) => `Events are sent to ${webhooks.length} webhooks`,
  }),
]
