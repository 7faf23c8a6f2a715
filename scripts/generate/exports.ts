import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../packages/folders.ts'

/** The source of each entry point. */
const entries = {
  '@openfountain/accounts': 'packages/accounts/src/index.ts',
  '@openfountain/photos': 'packages/photos/src/index.ts',
  '@openfountain/telling': 'packages/telling/src/index.ts',
  '@openfountain/core': 'packages/core/src/index.ts',
  '@openfountain/core/fields': 'packages/core/src/fields/index.ts',
  '@openfountain/core/status': 'packages/core/src/status.ts',
  '@openfountain/core/geodesy': 'packages/core/src/places/geodesy.ts',
  '@openfountain/core/internal': 'packages/core/src/internal.ts',
  '@openfountain/core/leaf': 'packages/core/src/log/leaf.ts',
  '@openfountain/core/letters': 'packages/core/src/search/letters.ts',
  '@openfountain/core/published': 'packages/core/src/published/index.ts',
  '@openfountain/core/route': 'packages/core/src/places/route.ts',
  '@openfountain/core/rules': 'packages/core/src/rules.ts',
  '@openfountain/core/version': 'packages/core/src/version.ts',
  '@openfountain/core/vocabulary': 'packages/core/src/vocabulary.ts',
  '@openfountain/exchange': 'packages/exchange/src/index.ts',
  '@openfountain/exchange/places': 'packages/exchange/src/places/index.ts',
  '@openfountain/fastify': 'packages/fastify/src/index.ts',
  '@openfountain/postgres': 'packages/postgres/src/index.ts',
  '@openfountain/server': 'packages/server/src/index.ts',
  '@openfountain/site': 'site/src/index.ts',
  '@openfountain/client': 'packages/client/src/index.ts',
  '@openfountain/client/types': 'packages/client/src/api.ts',
  '@openfountain/tlog': 'packages/tlog/src/index.ts',
  '@openfountain/tlog/frontier': 'packages/tlog/src/frontier.ts',
  openfountain: 'packages/cli/src/index.ts',
} as const

const introduction = `What can be imported. \`@openfountain/core/internal\` is for openfountain's own packages, as is
\`@openfountain/core/engine\`, which is not listed: like everything that is not, they may change with every version.`

function settings(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.sources.json'), ts.sys.readFile)
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options
}

/** The exports of each package, one name a line, so that each change of them is visible. */
export function publicExports(): string {
  const files = Object.entries(entries).map(([name, path]) => [name, join(root, path)] as const)
  const program = ts.createProgram(
    files.map(([, file]) => file),
    settings(),
  )
  const checker = program.getTypeChecker()
  const isValue = (symbol: ts.Symbol): boolean => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const isTypeOnly = symbol.declarations?.some(ts.isTypeOnlyExportDeclaration) === true
    return !isTypeOnly && (target.flags & ts.SymbolFlags.Value) !== 0
  }
  const lists = files.map(([name, file]) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (module === undefined) throw new Error(`${file} exports nothing`)
    const lines = checker
      .getExportsOfModule(module)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((symbol) => `- \`${symbol.name}\`${isValue(symbol) ? '' : ' (type)'}`)
    return `## ${name}\n\n${lines.join('\n')}\n`
  })
  return `# Public exports\n\n${introduction}\n\n${lists.join('\n')}`
}
