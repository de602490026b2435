import pg from 'pg'

/** Which database of which cluster answers: two of one name are not the same one, and a replica is the same as what it follows. */
export const identityQuery = `SELECT system_identifier || ' ' || current_database() AS who FROM pg_control_system()`

/** Asks at an address, on a connection of its own. */
export const identityAt = async (connectionString: string): Promise<string> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<{ who: string }>(identityQuery)).rows[0]?.who ?? ''
  } finally {
    await client.end().catch(() => undefined)
  }
}
