import pg from 'pg'

const asNumber = (text: string): number => Number(text)
const asBit = (text: string): number => (text === 't' ? 1 : 0)
const asText = (text: string): string => text

const parsers = new Map<number, (text: string) => unknown>([
  [16, asBit], // bool
  [17, pg.types.getTypeParser(17)], // bytea
  [20, asNumber], // int8: milliseconds and counts stay far below 2^53
  [21, asNumber], // int2
  [23, asNumber], // int4
  [26, asNumber], // oid
  [700, asNumber], // float4
  [701, asNumber], // float8
  [1700, asNumber], // numeric: what sum(bigint) gives
])

/** Result parsers that make Postgres answer as SQLite does. Given to each connection: pg's own table is global state. */
export const resultTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number) => parsers.get(oid) ?? asText) as pg.CustomTypesConfig['getTypeParser'],
}
