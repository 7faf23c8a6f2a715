import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../listening.ts'
import { newFolder } from '../folder.ts'

const examples = fileURLToPath(new URL('../../../../examples/', import.meta.url))

/** @throws Error with the remedy when a program is not installed */
function mustHave(program: 'apache2' | 'nginx' | 'caddy'): void {
  const { error } = spawnSync(program, [program === 'caddy' ? 'version' : '-v'])
  if (error) throw new Error(`${program} is missing: apt-get install ${program}`, { cause: error })
}

export interface WebServer {
  readonly url: string
  close(): Promise<void>
}

async function listening(child: ChildProcess, url: string): Promise<WebServer> {
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said += String(text)))
  const ended = once(child, 'exit')
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended: ${said}`)
    await setTimeout(20)
  }
  return {
    url,
    async close() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function exampleWith(example: string, places: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(join(examples, example), 'utf8')
  for (const [from, to] of Object.entries(places)) text = text.replace(from, to)
  return text
}

/** Starts nginx with a file below `examples`, with its paths and addresses replaced. */
export async function startNginx(
  example: string,
  places: Readonly<Record<string, string>>,
): Promise<WebServer> {
  mustHave('nginx')
  const folder = newFolder()
  const port = await freePort()
  const listen = {
    'listen 443 ssl': `listen 127.0.0.1:${port}`,
    'listen 80': `listen 127.0.0.1:${await freePort()}`,
  }
  const site = (await exampleWith(example, { ...listen, ...places })).replaceAll(/^ *ssl_.*\n/gmu, '')
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

export async function startCaddy(
  example: string,
  places: Readonly<Record<string, string>>,
): Promise<WebServer> {
  mustHave('caddy')
  const folder = newFolder()
  const url = `http://127.0.0.1:${await freePort()}/`
  const site = await exampleWith(example, { 'fountains.example': url.slice(0, -1), ...places })
  await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    env: { ...process.env, HOME: folder },
  })
  return listening(child, url)
}

/** The usual modules of Apache at a web host, and those of the examples. */
const apacheModules = ['mpm_event', 'authz_core', 'dir', 'mime', 'headers', 'rewrite']

/** As a web host whose customers have their own `.htaccess`. @param example becomes it */
export async function startApache(example: string, folder: string): Promise<WebServer> {
  mustHave('apache2')
  const own = newFolder()
  const port = await freePort()
  await writeFile(join(folder, '.htaccess'), await readFile(join(examples, example), 'utf8'))
  // Started by root, it reads files as another user.
  await Promise.all([chmod(own, 0o755), chmod(dirname(folder), 0o755)])
  const loaded = apacheModules.map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  )
  await writeFile(
    join(own, 'apache.conf'),
    `ServerName fountains.example
Listen 127.0.0.1:${port}
PidFile ${own}/pid
ErrorLog ${own}/errors
DefaultRuntimeDir ${own}
Mutex posixsem
${loaded.join('\n')}
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
TypesConfig /etc/mime.types
DocumentRoot ${folder}
<Directory ${folder}>
  AllowOverride FileInfo Indexes
  Require all granted
</Directory>
`,
  )
  const child = spawn('apache2', ['-d', own, '-f', join(own, 'apache.conf'), '-D', 'FOREGROUND'])
  return listening(child, `http://127.0.0.1:${port}/`)
}
