import { isTest, type SourceFile, type StructureCheck } from './source-tree.ts'

const clients = /^(?:shared-ui|room-web|desk|companion)\/(?:src|public)\/|^agent\/src\/(?:shell\/)?renderer\//
const tokens = 'shared-protocol/src/clients/tokens.ts'

/** A colour that is spelled: `#fff`, `#1d4f91`. */
const colour = /(['"\s:(])#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})(?=['"\s;,)])/i

/** The code for a phone's camera is dark on white whatever the scheme. */
const ofItsOwn = /\/qr-code\.tsx$/

export const coloursInTokens: StructureCheck = {
  name: `colours are spelled in ${tokens} alone`,
  find: (files: readonly SourceFile[]) =>
    files
      .filter(({ path }) => clients.test(path) && /\.(?:tsx?|css|html)$/.test(path) && !isTest(path))
      .filter(({ path }) => !path.endsWith('/tokens.css') && !ofItsOwn.test(path))
      .filter(({ text }) => colour.test(text))
      .map(({ path }) => ({ path, message: `spells a colour; take it from ${tokens}` })),
}
