import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freshFolder } from './sample.ts'

/** Web servers of others, as the examples configure them, but on 127.0.0.1 and without TLS. */

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

/** @throws Error with the remedy when a program is not installed */
function mustHave(program: 'nginx' | 'caddy'): void {
  const { error } = spawnSync(program, [program === 'nginx' ? '-v' : 'version'])
  if (error) throw new Error(`${program} is missing: apt-get install ${program}`, { cause: error })
}

export interface WebServer {
  readonly url: string
  close(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listening(child: ChildProcess, url: string): Promise<WebServer> {
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said += String(text)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended: ${said}`)
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url,
    close: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/**
 * Starts nginx with an example.
 *
 * @param example a file below `examples`
 * @param places what to write for the places and addresses in it
 */
export async function startNginx(
  example: string,
  places: Readonly<Record<string, string>>,
): Promise<WebServer> {
  mustHave('nginx')
  const folder = await freshFolder()
  const port = await freePort()
  let site = (await readFile(join(examples, example), 'utf8'))
    .replaceAll(/^ *ssl_.*\n/gmu, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('listen 80', `listen 127.0.0.1:${await freePort()}`)
  for (const [from, to] of Object.entries(places)) site = site.replace(from, to)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http { include /etc/nginx/mime.types; access_log off; ${temporary}
${site}
}`
  await writeFile(join(folder, 'nginx.conf'), main)
  const child = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')])
  return listening(child, `http://127.0.0.1:${port}/`)
}

/** Starts Caddy with an example, in the same way. */
export async function startCaddy(
  example: string,
  places: Readonly<Record<string, string>>,
): Promise<WebServer> {
  mustHave('caddy')
  const folder = await freshFolder()
  const url = `http://127.0.0.1:${await freePort()}/`
  let site = (await readFile(join(examples, example), 'utf8')).replace('fountains.example', url.slice(0, -1))
  for (const [from, to] of Object.entries(places)) site = site.replace(from, to)
  await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    env: { ...process.env, HOME: folder },
  })
  return listening(child, url)
}
