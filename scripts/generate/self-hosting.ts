import { settingsFile, settingsText } from '../../packages/cli/src/settings-file.ts'
import { unitsOf } from '../../packages/cli/src/units.ts'

const folder = '/var/lib/openfountain'

/** The settings and the units that `openfountain init` makes for the guide's machine. */
export function selfHosting(): Map<string, string> {
  const settings = settingsText({
    folder,
    database: `${folder}/fountains.db`,
    name: 'Fountains of Lund',
    author: 'City of Lund',
    license: 'ODbL-1.0',
    language: 'en',
    properties: undefined,
    passersBy: true,
    publicUrl: 'https://fountains.example',
  })
  const machine = { folder, user: 'openfountain', command: '/usr/local/bin/openfountain', isOnServer: false }
  return new Map(
    [[settingsFile, settings] as const, ...unitsOf(machine)].map(([name, text]) => [
      `examples/self-hosting/${name}`,
      text,
    ]),
  )
}
