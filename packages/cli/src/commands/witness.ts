import { join } from 'node:path'
import { verifierText, Witness } from '@openfountain/tlog'
import { command } from '../command.ts'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { checkHost, listenWith } from '../listener.ts'
import { list, text, whole } from '../options.ts'
import { untilSignal } from '../signals.ts'
import { hashOf, storeIn, witnessKey } from '../log-keys.ts'
import { keysOf } from './log-proofs.ts'

const mostBytes = 65_536

export const commands = [
  command('witness', {
    summary:
      'Watches the logs of others: cosigns checkpoints that continue the last one, until it is stopped.',
    more: 'POST /add-checkpoint is answered as C2SP tlog-witness has it, and GET /HASH/checkpoint with the last cosigned checkpoint of a log, by the SHA-256 of its name. The folder has the key of the witness, which is made at the first start, the last checkpoint of each log, and evidence of logs that signed two histories: files named split-, which anybody can check with log check and the verifier key of the log.',
    options: {
      folder: text('FOLDER', 'Where key, checkpoints and evidence are kept', { required: true }),
      name: text('NAME', 'The name of the witness, such as witness.example; needed at the first start'),
      log: list('VKEY', 'The verifier key of a log that is watched, from elsewhere than the log'),
      port: whole('PORT', 'The port; 0 takes a free one', { min: 0, max: 65_535, default: 3001 }),
      host: text('ADDRESS', 'The address to listen on', { default: '127.0.0.1' }),
    },
    examples: {
      'witness --folder witness --name witness.example --log "$(cat fountains.example.vkey)"':
        'Watches one log',
    },
    async run({ folder, name, log, port, host }, { out }) {
      if (log.length === 0) throw usage('--log is needed: the verifier key of each log that is watched')
      checkHost(host)
      const logs = await keysOf(log)
      const key = await witnessKey(folder, '--name', name)
      // As C2SP tlog-witness has them: one a log, under the hash of its name.
      const store = storeIn([...logs, key.verifier], (origin) => join(folder, hashOf(origin)))
      const witness = new Witness({ key, logs, store })
      const plain = (status: number, body: string, mediaType = 'text/plain; charset=utf-8') =>
        new Response(body, { status, headers: { 'content-type': mediaType, 'cache-control': 'no-store' } })
      const server = await listenWith(
        () => ({
          async fetch(request) {
            const { pathname } = new URL(request.url)
            if (pathname === '/add-checkpoint' && request.method === 'POST') {
              if (Number(request.headers.get('content-length') ?? mostBytes + 1) > mostBytes)
                return plain(413, 'a request has at most 64 KiB\n')
              const { status, body, mediaType } = await witness.add(await request.text())
              return plain(status, body, mediaType)
            }
            const known = logs.find((each) => pathname === `/${hashOf(each.name)}/checkpoint`)
            const note = known && request.method === 'GET' ? await store.last(known.name) : undefined
            return note === undefined ? plain(404, 'not found\n') : plain(200, note)
          },
        }),
        { port, host },
      )
      const vkey = verifierText(key.verifier)
      out.result({ url: server.url, key: vkey }, () => [
        `Watching ${logs.map((each) => inert(each.name)).join(', ')} at ${server.url}`,
        `The key of the witness is ${inert(vkey)}`,
      ])
      await untilSignal()
      await server.close()
    },
  }),
]
