import type { ComponentProps, ReactNode } from 'react'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'disabled' | 'aria-disabled'> {
  /** What is expected next, what ends something, or what only shows more; without one, none of them. */
  readonly kind?: 'main' | 'stop' | 'quiet' | undefined
  /** What it does is being done: it stays where it is for the keyboard, and says so. */
  readonly busy?: boolean | undefined
}

export const Button = ({ kind, busy, type = 'button', ...rest }: ButtonProps) => (
  <button type={type} className={kind} aria-disabled={busy} {...rest} />
)

/** The buttons of a part of a page, side by side where there is room. */
export const Actions = ({ children }: { readonly children: ReactNode }) => <div className="actions">{children}</div>
