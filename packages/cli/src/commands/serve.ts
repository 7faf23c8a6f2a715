import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { AccountsOptions, WaysIn } from '@openfountain/accounts'
import type { App, AppOptions, OptionError } from '@openfountain/server'
import { command } from '../command.ts'
import { CommandError, usage } from '../failure.ts'
import { flag, list, text, whole } from '../options.ts'
import { securityLogOf, securityLogOption } from '../security-log.ts'
import {
  durabilityOption,
  passersByOption,
  photosOption,
  regionsOption,
  registryOptions,
  withRegistry,
  writingOptions,
} from '../settings.ts'
import { deliveryOptions, mailKey, senderOf } from '../webhook-settings.ts'
import { failureText, readSignIn, refusedSetting, signInOptions, warningText } from '../sign-in-settings.ts'

const optionNames: Readonly<Record<string, string>> = {
  allowedOrigins: '--origin',
  trustProxy: '--trust-proxy',
  publicUrl: '--public-url',
  contact: '--contact',
}

const refusedOption = ({ option, message }: OptionError): CommandError =>
  usage(`${optionNames[option] ?? option}${message.slice(option.length)}`)

const metaPolicy = /<meta[^>]+http-equiv="content-security-policy"[^>]+content="([^"]*)"/iu

/** A built site, with the policy of its pages, which has the hashes of their scripts. @throws CommandError notFound */
export async function siteFolder(
  folder: string,
  base: string | undefined,
): Promise<NonNullable<AppOptions['site']>> {
  const index = path.join(folder, 'index.html')
  if (!existsSync(index))
    throw new CommandError(
      'notFound',
      `${folder} contains no site: build one with openfountain site build --data EXPORTS --out ${folder}`,
      'ENOENT',
    )
  const policy = metaPolicy.exec(await readFile(index, 'utf8'))?.[1]
  return {
    folder,
    base,
    contentSecurityPolicy: policy
      ?.replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
  }
}

export const serveOptions = {
  ...writingOptions,
  port: whole('N', 'The port to listen on; 0 takes a free one', {
    min: 0,
    max: 65_535,
    default: 3000,
    env: 'OPENFOUNTAIN_PORT',
  }),
  host: text('ADDRESS', 'The address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for everyone', {
    default: '127.0.0.1',
    env: 'OPENFOUNTAIN_HOST',
  }),
  site: text('DIR', 'A built site to serve besides the API', { env: 'OPENFOUNTAIN_SITE' }),
  'site-base': text('PATH', 'The path under which the site was built, such as /map; default /', {
    env: 'OPENFOUNTAIN_SITE_BASE',
  }),
  exports: text('DIR', 'A folder of exports to serve at /api/exports', { env: 'OPENFOUNTAIN_EXPORTS' }),
  backups: text(
    'DIR',
    'The folder to which backups are written: GET /api/health says how old the newest one is',
    { env: 'OPENFOUNTAIN_BACKUPS' },
  ),
  metrics: text(
    'WHO',
    'Who may read GET /api/metrics, in the text format of Prometheus: nobody, programs on this machine whose requests come through no proxy, or everyone',
    { env: 'OPENFOUNTAIN_METRICS', default: 'off', choices: ['off', 'loopback', 'everyone'] },
  ),
  origin: list(
    'URL',
    'Another origin whose pages may write for their visitors, such as https://map.example',
    { env: 'OPENFOUNTAIN_ORIGINS' },
  ),
  'public-url': text(
    'URL',
    'Where browsers reach the server, such as https://fountains.example: its pages may write for their visitors, passkeys are for its host, and providers send people back there; with https, responses have Strict-Transport-Security; default the host that requests name',
    { env: 'OPENFOUNTAIN_PUBLIC_URL' },
  ),
  hsts: text(
    'REACH',
    'What Strict-Transport-Security covers when --public-url begins with https: the host alone, also its subdomains, or nothing',
    { env: 'OPENFOUNTAIN_HSTS', default: 'host', choices: ['host', 'subdomains', 'off'] },
  ),
  ...signInOptions,
  ...passersByOption,
  'open-observations': flag(
    'Lets people who are not signed in also say what else they saw, and send reports with a text to the moderators, from the pages of this server and of --origin; a few times a day from each network',
    { env: 'OPENFOUNTAIN_OPEN_OBSERVATIONS' },
  ),
  contact: text(
    'ADDRESS',
    'The e-mail address to which people write who ask for an invitation; everybody can read it; default none',
    { env: 'OPENFOUNTAIN_CONTACT' },
  ),
  'rate-limit': whole(
    'N',
    'Requests a minute that one client may make, such as 300: a map that follows changes makes six; 0 sets no limit',
    { min: 0, max: 1_000_000, default: 0, env: 'OPENFOUNTAIN_RATE_LIMIT' },
  ),
  'trust-proxy': list(
    'ADDRESS',
    'Reverse proxies whose X-Forwarded headers are trusted: addresses, ranges such as 10.0.0.0/8, or loopback',
    { env: 'OPENFOUNTAIN_TRUST_PROXY' },
  ),
  'no-log': flag('Does not log requests; security events are written all the same', {
    env: 'OPENFOUNTAIN_NO_LOG',
  }),
  'security-log': {
    ...securityLogOption['security-log'],
    about: 'A file to which security events are appended, a line for each; default standard output',
  },
  ...photosOption,
  ...deliveryOptions,
  ...regionsOption,
  ...durabilityOption,
  ...registryOptions,
}

const serve = command('serve', {
  summary: 'Serves the API and, with --site, the map, until it is stopped.',
  more: 'A file that does not exist is created, and so are the tables in an empty database on a server. SIGTERM and Ctrl-C let open requests finish, for ten seconds at most. Each request is logged as a line on standard output, with the id of a signed-in user and without query, secrets and e-mail addresses; so are security events. Once a day, and when it starts, it grants the XP that observations of earlier days have earned, and computes what the date has changed. Every other command can work on the database at the same time.',
  options: serveOptions,
  examples: {
    serve: 'Serves openfountain.db to this machine at port 3000',
    'serve --host 0.0.0.0 --site site --exports exports --rate-limit 300':
      'Serves the API, the map and the downloads to everyone',
    'serve --public-url https://fountains.example --registration open --providers providers.json':
      'Lets everybody have an account, by the providers in that file',
    'serve --port 8080 --trust-proxy loopback --origin https://map.example':
      'Runs behind a reverse proxy on the same machine',
  },
  async run(options, context) {
    const { out } = context
    const { exports, origin, backups, metrics } = options
    // Imported here, so that other commands start faster.
    const [
      { checkOptions, createApp, jsonLines, OptionError },
      { checkAccounts, createAccounts },
      { checkHost, listenWith },
      { untilSignal },
      { waypointFormats },
      { Daily },
      { Deliveries },
    ] = await Promise.all([
      import('@openfountain/server'),
      import('@openfountain/accounts'),
      import('../listener.ts'),
      import('../signals.ts'),
      import('../waypoint-formats.ts'),
      import('../daily.ts'),
      import('@openfountain/telling'),
    ])
    checkHost(options.host)
    const site = options.site === undefined ? undefined : await siteFolder(options.site, options['site-base'])
    const log = jsonLines()
    const securityLog = (await securityLogOf(options)) ?? log
    const sender = senderOf(options, context.env, options['public-url'])
    const appOptions: AppOptions = {
      webhooks: sender,
      allowedOrigins: origin,
      strictTransport: options.hsts,
      passersBy: options['passers-by'],
      openObservations: options['open-observations'],
      contact: options.contact,
      formats: waypointFormats,
      trustProxy: options['trust-proxy'],
      ...(options['rate-limit'] > 0 && { rateLimit: { perMinute: options['rate-limit'] } }),
      ...(!options['no-log'] && { accessLog: log }),
      securityLog,
      backups,
      metrics,
      publicUrl: options['public-url'],
      exports,
      site,
    }
    try {
      checkOptions(appOptions)
    } catch (error) {
      throw error instanceof OptionError ? refusedOption(error) : error
    }
    const warn = (text: string): void => {
      if (!out.json) out.note(text)
    }
    const signIn = await readSignIn(options, context.env, warn)
    const accountsOptions = (port: number): AccountsOptions => ({
      ...signIn,
      publicUrl: signIn.publicUrl ?? `http://localhost:${port}`,
      sitePath: options['site-base'],
      name: options['registry-name'],
      onFailure: (failure) => out.note(failureText(failure)),
    })
    try {
      for (const warning of checkAccounts(accountsOptions(options.port))) warn(warningText(warning))
    } catch (error) {
      throw refusedSetting(error, signIn)
    }
    await withRegistry(
      options,
      'create',
      context,
      async (registry, confirm) => {
        const end = untilSignal()
        let accounts: WaysIn | undefined
        const mail = signIn.mail && { ...signIn.mail, key: mailKey(options.db, context.env, warn) }
        const server = await listenWith(
          (port) => {
            accounts = createAccounts(registry, { ...accountsOptions(port), mail })
            return createApp(registry, { ...appOptions, accounts })
          },
          { ...options, trustProxy: options['trust-proxy'] },
        )
        confirm()
        giveMemoryBack()
        await warm(createApp(registry))
        const daily = new Daily(registry, (error) =>
          out.note(`What is due every day failed, and is tried again: ${String(error)}`),
        )
        daily.start()
        const deliveries = new Deliveries(registry, sender, {
          mailDigest: accounts?.mailDigest,
          onOff: ({ id, url, lastStatus, lastError }) =>
            log({
              time: new Date().toISOString(),
              event: 'webhook.off',
              id,
              host: new URL(url).host,
              lastStatus,
              lastError,
            }),
          onFailure: (error) =>
            out.note(`Not everybody could be told, which is tried again: ${String(error)}`),
        })
        deliveries.start()
        const { url, port, networkUrls } = server
        if (out.json) out.result({ url, port, database: registry.database }, () => [])
        else
          out.note(
            [
              `Serving ${registry.database} at ${[url, ...networkUrls].join(', ')}`,
              `API reference: ${url}/api/docs`,
              `People sign in at ${accountsOptions(port).publicUrl}${signIn.publicUrl === undefined ? ', or where --public-url says' : ''}`,
            ].join('\n'),
          )
        await end
        if (!out.json) out.note('Stopping: open requests can finish')
        await daily.stop()
        // Mails end within ten seconds.
        await Promise.all([deliveries.stop(), server.close().then(() => accounts?.close())])
      },
      securityLog,
    )
  },
})

/** Returns the memory that only the start needed, a quarter of the process, which Node would keep (benchmark row city). */
function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Makes a first filtered list, which takes five times as long as the next (benchmark row city). */
async function warm(app: App): Promise<void> {
  const response = await app.fetch(new Request('http://localhost/api/waypoints?verified=true&limit=10'))
  await response.body?.cancel()
}

export const commands = [serve]
