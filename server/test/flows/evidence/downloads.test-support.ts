export interface Downloaded {
  readonly status: number
  readonly headers: Response['headers']
  readonly bytes: Buffer
}

/** What a download link answers. */
export const bytesOf = async (url: string, headers: Record<string, string> = {}): Promise<Downloaded> => {
  const answer = await fetch(url, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
