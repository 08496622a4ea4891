// Modules that the server makes: the list of all tools, and DOMPurify as built by the crate.

declare module '*/catalog.js' {
  const catalog: {
    slug: string;
    name: string;
    category: string;
    description: string;
    keywords: string[];
    server: boolean;
  }[];
  export default catalog;
}
