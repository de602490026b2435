import type { WebClient } from './build-client.ts'
import { clientLibrary } from './client-library.ts'
import { companionWeb } from './companion.ts'
import { desk } from './desk.ts'
import { roomWeb } from './room-web.ts'

/** What nearly all tests read. The phone's export and the library's package take longer: their tests make them. */
export const pages: readonly WebClient[] = [roomWeb, desk]

/** Everything that is built from this tree and given out by the server. */
export const allClients: readonly WebClient[] = [...pages, companionWeb, clientLibrary]
