import type { Registry } from '@openfountain/core'
import { createApp, nodeListener, type AppOptions } from '@openfountain/server'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, RegisterOptions } from 'fastify'

/** Options of the plugin: those of `createApp` without `basePath`, which is Fastify's `prefix`. */
export interface FountainsOptions extends Omit<AppOptions, 'basePath'> {
  /** The registry, which the host closes after the server: `host.addHook('onClose', () => registry.close())`. */
  readonly registry: Registry
}

/**
 * Mounts the API of a registry in Fastify 5, at `/api`, or with the option `prefix` below that; a `site` at every other
 * path there. It is encapsulated: parsers, hooks and errors of the host stay as they are. The API reads bodies and
 * writes responses itself, so schemas, serializers and `onSend` hooks of the host do not see them. Its other hooks run,
 * and headers that they set on the reply are sent, too. Client addresses come from the connection: where Fastify has
 * `trustProxy`, give it here as well.
 *
 * @throws OptionError when an option is wrong, naming it and the remedy: `register` rejects
 */
export const fountains: FastifyPluginAsync<FountainsOptions> = async (scope, given) => {
  const { registry, ...options } = ofApp(given)
  const app = createApp(registry, { ...options, basePath: scope.prefix.replace(/\/$/u, '') })
  const listener = nodeListener(app)
  const forward = (request: FastifyRequest, reply: FastifyReply): void => {
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.hijack()
    listener(request.raw, reply.raw)
  }
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const path of options.site === undefined ? ['/api', '/api/*'] : ['/', '/*']) scope.all(path, forward)
}

/** The options without those that `register` itself takes. */
function ofApp({
  prefix: _prefix,
  logLevel: _logLevel,
  logSerializers: _logSerializers,
  ...options
}: FountainsOptions & RegisterOptions): FountainsOptions {
  return options
}

// The metadata of fastify-plugin without its `skip-override`, which would end the encapsulation; other versions of
// Fastify are refused by name.
Object.assign(fountains, { [Symbol.for('plugin-meta')]: { name: '@openfountain/fastify', fastify: '5.x' } })
