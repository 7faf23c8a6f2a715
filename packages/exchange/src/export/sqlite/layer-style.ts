import type Database from 'better-sqlite3'
import { waypointStates, type StateOfWaypoint } from '@openfountain/core/status'
import { insertValues } from './sql-table.ts'

/** How a state is drawn: legible beside the others for people who do not tell colours apart, by its outline and size too. */
const looks: Readonly<Record<StateOfWaypoint, { readonly fill: string; readonly label: string }>> = {
  works: { fill: '#0b6e4f', label: 'Works' },
  unconfirmed: { fill: '#1f78b4', label: 'Not confirmed of late' },
  reported: { fill: '#e6a117', label: 'A problem was reported' },
  broken: { fill: '#c1121f', label: 'Out of order' },
  off: { fill: '#9aa5b1', label: 'Off for the season' },
  gone: { fill: '#3d3d3d', label: 'No longer there' },
}

/** https://docs.qgis.org/latest/en/docs/user_manual/appendices/qgis_file_formats.html */
function qml(): string {
  const categories = waypointStates.map(
    (state, index) =>
      `<category value="${state}" symbol="${index}" label="${looks[state].label}" render="true" type="string"/>`,
  )
  const symbols = waypointStates.map((state, index) => {
    const { fill } = looks[state]
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(fill.slice(at, at + 2), 16))
    return (
      `<symbol type="marker" name="${index}" alpha="1"><layer class="SimpleMarker" enabled="1"><Option type="Map">` +
      `<Option name="name" type="QString" value="circle"/><Option name="color" type="QString" value="${red},${green},${blue},255"/>` +
      '<Option name="outline_color" type="QString" value="255,255,255,255"/><Option name="size" type="QString" value="2.4"/>' +
      '</Option></layer></symbol>'
    )
  })
  return (
    "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n" +
    '<qgis version="3.22" styleCategories="Symbology"><renderer-v2 type="categorizedSymbol" attr="state" enableorderby="0">' +
    `<categories>${categories.join('')}</categories><symbols>${symbols.join('')}</symbols></renderer-v2></qgis>\n`
  )
}

/** Styled Layer Descriptor 1.0: https://www.ogc.org/standards/sld */
function sld(): string {
  const rules = waypointStates.map((state) => {
    const { fill, label } = looks[state]
    return (
      `<Rule><Name>${state}</Name><Title>${label}</Title><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>state</ogc:PropertyName>` +
      `<ogc:Literal>${state}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter><PointSymbolizer><Graphic><Mark>` +
      `<WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">${fill}</CssParameter></Fill>` +
      '<Stroke><CssParameter name="stroke">#ffffff</CssParameter></Stroke></Mark><Size>8</Size></Graphic></PointSymbolizer></Rule>'
    )
  })
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" ' +
    'xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>waypoints</Name><UserStyle><Name>state</Name><FeatureTypeStyle>' +
    `${rules.join('')}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>\n`
  )
}

/** Adds the style with which QGIS opens the waypoints: points by their state. */
export function addLayerStyle(database: Database.Database, time: string): void {
  database.exec(`CREATE TABLE layer_styles (
    id INTEGER PRIMARY KEY NOT NULL,
    f_table_catalog TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256), f_geometry_column TEXT(256),
    styleName TEXT(30), styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT, owner TEXT(30), ui TEXT(30),
    update_time DATETIME
  )`)
  const about = 'Fountains by their state'
  insertValues(database, 'layer_styles', [
    [1, '', '', 'waypoints', 'geom', 'state', qml(), sld(), 1, about, '', null, time],
  ])
  const extent = [null, null, null, null]
  insertValues(database, 'gpkg_contents', [
    ['layer_styles', 'attributes', 'layer_styles', 'How QGIS draws the waypoints', time, ...extent, null],
  ])
}
