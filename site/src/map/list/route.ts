import { passedText } from '@openfountain/core/published'
import { isInside } from '@openfountain/core/geodesy'
import { alongLeg, type Leg, legsOf, routeIn, type RoutePoint } from '@openfountain/core/route'
import { routes } from '@openfountain/core/rules'
import { elementBy } from '../../client/element-by.ts'
import { saveFile } from '../../client/save-file.ts'
import type { Page } from '../../views/page.ts'
import type { Cells } from '../data/cells.ts'
import type { Position } from '../page/position.ts'
import type { Filter } from './filter.ts'
import type { Listed } from './fountain-list.tsx'

export class Route {
  readonly name: string
  readonly line: readonly RoutePoint[]
  readonly #legs: readonly Leg[]

  private constructor(name: string, line: readonly RoutePoint[]) {
    this.name = name
    this.line = line
    this.#legs = legsOf(line, routes.withinMetres.default)
  }

  /** The route in a file of GPX or GeoJSON. @throws RegistryError, SyntaxError, and the errors of reading the file */
  static async in(file: File): Promise<Route> {
    const text = await file.text()
    return new Route(file.name, routeIn(/^\s*[{[]/u.test(text) ? JSON.parse(text) : text))
  }

  get places(): readonly Position[] {
    return this.line.map(([longitude, latitude]) => ({ latitude, longitude }))
  }

  /** The fountains within the usual distance, in the order of the route. @throws the errors of reading */
  async fountains(cells: Cells, filter: Filter) {
    const boxes = this.#legs.map(({ box }) => box)
    const { found, isComplete } = await cells.passing(boxes, filter, (place) => this.#passed(place))
    const ordered = found
      .toSorted((one, other) => one.answer.along - other.answer.along)
      .slice(0, routes.found)
    return {
      found: await Promise.all(
        ordered.map(async ({ answer: passed, whole }) => ({ fountain: await whole(), passed })),
      ),
      isComplete,
    }
  }

  #passed(place: Position): Listed['passed'] {
    const [nearest] = this.#legs
      .filter(({ box }) => isInside(box, place))
      .map((leg) => alongLeg(leg, place))
      .toSorted((one, other) => one.off - other.off)
    return nearest && nearest.off <= routes.withinMetres.default ? nearest : undefined
  }

  save(found: readonly Listed[], words: Page): void {
    const license = elementBy('#attribution').textContent.replaceAll(/\s+/gu, ' ').trim()
    const passed = found.flatMap(({ fountain, passed: at }) => {
      const { id, latitude, longitude } = fountain
      return at ? [{ waypoint: { id, latitude, longitude, name: words.title(fountain) }, ...at }] : []
    })
    const text = passedText('gpx', passed, { name: this.name, author: license, license })
    saveFile(new Blob([text], { type: 'application/gpx+xml' }), 'water.gpx')
  }
}
