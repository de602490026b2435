import type { Brand } from '@integrity/protocol/clients/brand'

/** What an organisation says in its own words, marked as theirs. */
export const Welcome = ({ brand }: { readonly brand: Brand | undefined }) =>
  brand?.welcome === undefined ? null : (
    <blockquote className="written welcome">
      <p>{brand.welcome}</p>
      <footer>– {brand.name}</footer>
    </blockquote>
  )
