import { Actions, Button } from '@integrity/shared-ui/web/button'
import { type ReactNode, useId, useState } from 'react'

interface Props {
  readonly label: string
  /** The form; `close` takes it away again. */
  readonly children: (close: () => void) => ReactNode
}

/** A button that shows a form below itself, as most who read a page need none. */
export const DisclosedForm = ({ label, children }: Props) => {
  const [open, setOpen] = useState(false)
  const form = useId()
  return (
    <>
      <Actions>
        <Button aria-expanded={open} aria-controls={form} onClick={() => setOpen(!open)}>
          {label}
        </Button>
      </Actions>
      <div id={form}>{open ? children(() => setOpen(false)) : null}</div>
    </>
  )
}
