import { fileURLToPath } from 'node:url'
import { createViteServer } from 'vitest/node'
import { iconSprite } from '../src/build/icons.ts'

/**
 * Serves the page that shows the kit, from the sources as they are saved. Only developers have it: it is outside of what
 * is built and published.
 *
 * @param port default any that is free
 */
export async function serveKit(port = 0) {
  const server = await createViteServer({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'error',
    resolve: { conditions: ['openfountain-source', 'module', 'browser', 'development'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    server: { host: '127.0.0.1', port, fs: { allow: [fileURLToPath(new URL('../..', import.meta.url))] } },
    plugins: [
      {
        name: 'icons',
        transformIndexHtml: (html) => html.replace('<body>', `<body><div hidden>${iconSprite()}</div>`),
      },
    ],
  })
  await server.listen()
  return {
    url: server.resolvedUrls?.local[0] ?? `http://127.0.0.1:${port}/`,
    close: () => server.close(),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serveKit(4330)
  console.log(`The kit: ${url}`)
}
