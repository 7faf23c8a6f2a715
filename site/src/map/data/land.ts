/** The bundled base map of land, water, borders and towns, below the root of the site; it is read in parts. */
export const landFile = 'map/base.pmtiles'
/** Its first bytes, which hold its header and root directory. */
export const landHeadBytes = 6_144
/** The same with the tiles up to zoom 2: an archive begins with the coarse ones. */
export const coarseLandBytes = 111_616
/** The deepest zoom with tiles; deeper ones are magnified. */
export const landMaxZoom = 6
