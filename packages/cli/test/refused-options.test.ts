import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { workplace } from '@openfountain/testing/command/shell'

const csv = 'id,name,latitude,longitude\na1,Market square,55.7029,13.1929\n'
const lund = 'import lund.csv --source Lund --license CC0-1.0'
const serve = 'serve --port 0'

test.each([
  ['frob', 2, 'command "frob" not found'],
  ['user', 2, 'user needs a subcommand: user invite'],
  ['user frob', 2, 'command "user frob" not found; the commands are user invite'],
  ['user add', 2, '--name is missing: give --name NAME'],
  ['user add --nam Ada', 2, "Unknown option '--nam': --help lists the options of this command"],
  ['user block --user u1', 2, "Unknown option '--user': --help lists the options of this command"],
  ['user add --name Ada --xp many', 2, '--xp must be a whole number from 0 to'],
  ['user add --name Ada --xp -1', 2, '--xp'],
  ['user show', 2, 'ID is missing'],
  ['user show ada grace', 2, 'unexpected argument "grace"'],
  ['session revoke first', 2, 'ID must be a whole number, not "first"'],
  ['log show --action painted', 2, '--action must be one of created, edited'],
  ['log verify --known 7', 2, '--known must be an id and a hash'],
  ['import lund.csv', 2, '--source is missing'],
  [`${lund} --swap --no-swap`, 2, 'exclude each other'],
  ['import lund.csv --map vienna', 2, '--license is missing, and the map "vienna" does not name it: say'],
  ['takedown --text abc --publish --dry-run', 2, '--publish needs a value; one that begins with a dash'],
  [`${lund} --map nowhere`, 2, 'no ready map has this name; the ready maps are'],
  [`${lund} --map nowhere.json`, 2, '--map'],
  [`${lund} --crs EPSG:1`, 6, 'EPSG:1'],
  [`${lund} --resume`, 6, 'interrupted import'],
  [`${lund} --report nowhere/report.json`, 2, '--report: folder nowhere not found'],
  [`${lund} --doubtful nowhere/no.csv`, 2, '--doubtful: folder nowhere not found'],
  ['import nowhere.csv --source Lund --license CC0-1.0', 6, 'File not found'],
  ['mirror nowhere', 2, 'URL must be the http: or https: address'],
  ['mirror http://127.0.0.1:9', 7, ': http://127.0.0.1:9/api/logs/head cannot be reached: connect'],
  ['mirror http://127.0.0.1:9 --key=', 2, '--key is empty: give --key VKEY'],
  ['serve --port 99999', 2, '--port must be a whole number from 0 to 65535'],
  [`${serve} --host 'two words'`, 2, '--host must be an address'],
  [`${serve} --trust-proxy loopback,10.0.0.0/40`, 2, '--trust-proxy has "10.0.0.0/40"'],
  [`${serve} --origin map.example`, 2, '--origin has "map.example"'],
  [`${serve} --rate-limit=-1`, 2, '--rate-limit must be a whole number'],
  [`${serve} --durability none`, 2, '--durability must be one of full, relaxed'],
])('%s is refused in a line that says what is right, and creates nothing', async (line, code, message) => {
  const { cwd, run } = await workplace({ 'lund.csv': csv })
  const refused = await run(line)
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code, stdout: '' })
  expect(refused.stderr).toContain(message)
  expect(refused.stderr).not.toContain('Created')
  if (code === 2) expect(refused.stderr.trim().split('\n')).toHaveLength(1)
  expect(await readdir(cwd)).toEqual(['lund.csv'])
})

test.each([
  ['--formats shapefile', 2, 'the formats are geojson, csv'],
  ['--bbox 1,2,3', 2, 'bbox must be four numbers'],
  ['--since yesterday', 2, 'since'],
  ['--permitted Nobody', 2, '--permitted'],
  ['--out out/of/three --since yesterday', 2, 'since'],
  ['--license CC0-1.0', 5, 'may not be published under CC0-1.0'],
])('export %s leaves no folder behind', async (options, code, message) => {
  const { cwd, json, run } = await workplace({ 'lund.csv': csv })
  await json('import lund.csv --source Lund --license ODbL-1.0')
  const refused = await run(`export ${options.startsWith('--out') ? '' : '--out out'} ${options}`)
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code, stdout: '' })
  expect(refused.stderr).toContain(message)
  expect(await readdir(cwd)).not.toContain('out')
})

test('with --json a failure is JSON on standard error in the shape of the API', async () => {
  const { run } = await workplace()
  const { code, stdout, stderr } = await run('user add --json')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(JSON.parse(stderr)).toEqual({
    error: '--name is missing: give --name NAME',
    code: 'USAGE',
    details: {},
  })
})
