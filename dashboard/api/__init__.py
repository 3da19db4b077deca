"""The REST API `/api/v1`: an application of its own, mounted in the dashboard's."""
