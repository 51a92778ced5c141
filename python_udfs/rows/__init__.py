"""UDFs of the changelog and the marts, for all vendors."""
