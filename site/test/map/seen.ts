import { query } from '@openfountain/testing/site/visit'
import type { Page } from 'playwright-core'

export interface Point {
  readonly latitude: number
  readonly longitude: number
}

export async function placeInWindow(page: Page, { latitude, longitude }: Point) {
  const box = await page.locator('#map').boundingBox()
  const [north = NaN, east = NaN, zoom = NaN] = (query(page).get('at') ?? '').split(',').map(Number)
  if (!box) throw new Error('The page has no map')
  const { width, height } = box
  const scale = 512 * 2 ** zoom
  const y = (degrees: number) =>
    (0.5 - Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360)) / (2 * Math.PI)) * scale
  const [right, down] = [((longitude - east) / 360) * scale, y(latitude) - y(north)]
  return { x: box.x + width / 2 + right, y: box.y + height / 2 + down, width, height }
}

export async function coveredOf(page: Page, places: readonly Point[]): Promise<Point[]> {
  const found = places.map(async (place) => {
    const at = await placeInWindow(page, place)
    return page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.tagName, at)
  })
  const uppermost = await Promise.all(found)
  return places.filter((_, index) => uppermost[index] !== 'CANVAS')
}
