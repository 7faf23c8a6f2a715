import { openStreetMap } from '@openfountain/core/internal'
import { oneSpelling } from './licence.ts'

/**
 * The credit of a file by its own copyright line, under the licence given by its importer. The known line is that of
 * the Overpass API, used by overpass turbo too: "The data included in this document is from www.openstreetmap.org. The
 * data is made available under ODbL."
 */
export function statedAttribution(copyright = '', license = ''): string | undefined {
  const isOverpass = /\bopenstreetmap\.org\b/iu.test(copyright) && /\bodbl\b/iu.test(copyright)
  return isOverpass && oneSpelling(license) === 'ODbL-1.0' ? openStreetMap.name : undefined
}
