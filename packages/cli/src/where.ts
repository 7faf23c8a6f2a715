import { filterNames } from '@openfountain/core/internal'
import { usage } from './failure.ts'
import { list } from './options.ts'

export const whereOption = {
  where: list('NAME=VALUE', 'Only fountains that match; several must all match', { verbatim: true }),
}

export const conditionsBut = (left: readonly string[] = []): string =>
  filterNames.filter((name) => !left.includes(name)).join(', ')

/** The filter that `NAME=VALUE` says. @param left names that are not taken here @throws CommandError usage */
export async function whereOf(given: readonly string[], left: readonly string[] = []) {
  const pairs = given.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    if (!pair.includes('=') || !filterNames.includes(name) || left.includes(name))
      throw usage(`${JSON.stringify(pair)} must be NAME=VALUE with one of ${conditionsBut(left)}`)
    return [name, value.join('=')] as const
  })
  if (pairs.length === 0) return {}
  const { filterFrom } = await import('@openfountain/server')
  try {
    return filterFrom(pairs)
  } catch (error) {
    throw error instanceof Error && error.name === 'Problem' ? usage(error.message) : error
  }
}
